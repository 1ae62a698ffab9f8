import type { RenderEmail } from './email/render.tsx';
import { renderWith } from './email/render.tsx';
import { templates } from './email-templates.ts';

/** Runs in the thread of email-renderer.ts. */
export const renderEmail: RenderEmail = (email) => renderWith(templates, email);
