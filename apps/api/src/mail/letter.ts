import { company } from '@app/site/company';

/** What a mail says, before it becomes text and HTML. */
export interface Letter {
  paragraphs: string[];
  /** The one thing to press, if there is one. */
  action?: { label: string; url: string };
  /** Said in small below. */
  note?: string;
}

/** The mail's two bodies, in the brand. Everything in the letter is taken as plain text. */
export function writeLetter({ paragraphs, action, note }: Letter): { text: string; html: string } {
  const text = [
    ...paragraphs,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...(note ? [note] : []),
    `-- \n${company.name}`,
  ].join('\n\n');

  // Mail programs know tables and inline styles, little else.
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(company.name)}</title></head>
<body style="margin:0;background:#fbf7ef;color:#15211e;font:16px/1.5 'Helvetica Neue',Arial,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px"><tr><td>
<p style="margin:0 0 24px;font-weight:700;font-size:18px">${escapeHtml(company.name)}</p>
${paragraphs.map((text) => `<p style="margin:0 0 16px">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`).join('\n')}
${action ? `<p style="margin:24px 0"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:12px 24px;border-radius:6px;background:#0f5140;color:#ffffff;text-decoration:none">${escapeHtml(action.label)}</a></p>` : ''}
${note ? `<p style="margin:0;font-size:14px;color:#4c5a55">${escapeHtml(note).replaceAll('\n', '<br>')}</p>` : ''}
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
  return { text, html };
}

const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
