import type { ReactNode } from 'react';

interface SettingProps {
  id: string;
  heading: string;
  children: ReactNode;
}

export const Setting = ({ id, heading, children }: SettingProps) => (
  <section className="setting" aria-labelledby={`${id}-heading`}>
    <h3 className="text-title" id={`${id}-heading`}>
      {heading}
    </h3>
    <div className="setting-body">{children}</div>
  </section>
);
