import { settings } from '@app/site/accounts/settings';
import { Setting } from './Setting.tsx';

const { heading, text, download } = settings.data;

export const DataSetting = () => (
  <Setting id="data" heading={heading}>
    <p className="text-muted-foreground">{text}</p>
    <p className="mt-4">
      <a className="button button-outline button-sm" href="/api/account/export" download>
        {download}
      </a>
    </p>
  </Setting>
);
