import type { RenderEmail } from './email/render.tsx';

/** Loads React Email with the first email: it takes 40 ms and 30 MB. */
export const renderEmail: RenderEmail = async (email) => {
  const [{ renderWith }, { templates }] = await Promise.all([
    import('./email/render.tsx'),
    import('./email-templates.ts'),
  ]);
  return renderWith(templates, email);
};
