import { Setting } from './Setting.tsx';

export const DataSetting = () => (
  <Setting id="data" heading="Your data">
    <p className="text-muted-foreground">
      Your profile, your posts as Markdown and your pictures, in one ZIP file.
    </p>
    <p className="mt-4">
      <a className="button button-outline button-sm" href="/api/account/export" download>
        Download your data
      </a>
    </p>
  </Setting>
);
