import type { ReactNode } from 'react';

interface SettingProps {
  /** The heading's id is made of it. */
  id: string;
  heading: string;
  children: ReactNode;
}

/** One matter of the settings. */
export const Setting = ({ id, heading, children }: SettingProps) => (
  <section className="setting" aria-labelledby={`${id}-heading`}>
    <h3 className="text-title" id={`${id}-heading`}>
      {heading}
    </h3>
    <div className="setting-body">{children}</div>
  </section>
);
