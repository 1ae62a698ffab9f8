import type { ReactNode } from 'react';

interface SettingProps {
  id: string;
  heading: string;
  children: ReactNode;
}

export const Setting = ({ id, heading, children }: SettingProps) => (
  <section
    className="mt-7 grid gap-x-8 gap-y-3 border-t border-border pt-7 md:grid-cols-[11rem_minmax(0,1fr)]"
    aria-labelledby={`${id}-heading`}
  >
    <h3 className="text-lg/[1.2]" id={`${id}-heading`}>
      {heading}
    </h3>
    <div className="min-w-0">{children}</div>
  </section>
);
