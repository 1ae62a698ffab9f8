import type { Letter } from '@app/db/schema/email';
import { company } from '@app/site/company';
import { lantern, street } from './drawings.ts';
import { escapeHtml } from './escape-html.ts';
import { groundOf, nightStyles, outlookNightStyles, painted } from './paint.ts';

const sans = `-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif`;
/** Long words and links break rather than widen the mail. */
const breakable = 'word-break:break-word;overflow-wrap:anywhere';

const text = (size: number, line: number, more = ''): string =>
  `margin:0;font:${more.includes('bold') ? '700' : '400'} ${size}px/${line} ${sans};${breakable}`;

/*
 * What elements of a kind are painted with, once: a mail is drawn for each thing that somebody
 * sends, and most of its letters are always the same.
 */
const asHeading = painted('ink', `${text(27, 1.2, 'bold')};letter-spacing:-.02em`);
const asParagraph = painted('ink', text(16, 1.6));
const asFactCell = painted('line', 'border-top:1px solid;padding:9px 0');
const asFactLabelCell = painted('line', 'border-top:1px solid;padding:9px 0;width:76px');
const asFactLabel = painted('soft', text(14, 1.6));
const asFact = painted('ink', text(16, 1.4));
const asFactLink = painted('link', 'text-decoration:underline');
const asQuotation = `${groundOf('ground')} ${painted('quote', 'border-left:4px solid;border-radius:0 8px 8px 0;padding:16px 20px')}`;
const asQuotationLabel = painted('soft', `${text(14, 1.5)};padding-bottom:6px`);
const asBareLink = painted('soft', text(13, 1.5));
const asQuietLink = painted('soft', 'text-decoration:underline');
const asSmall = painted('line', `${text(14, 1.6)};border-top:1px solid;padding-top:20px`);
const asReason = painted('soft', `${text(13, 1.6)};padding-top:10px`);

const lines = (plain: string): string => escapeHtml(plain).replaceAll('\n', '<br>');

const table = (attributes: string, rows: string): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" ${attributes}>${rows}</table>`;

/** `above` in pixels. */
const row = (above: number, content: string): string =>
  `<tr><td style="padding-top:${above}px">${content}</td></tr>`;

const heading = (plain: string): string => `<h1 ${asHeading}>${escapeHtml(plain)}</h1>`;

/** In the direction of its own script: names and messages come in all of them. */
const paragraph = (plain: string): string => `<p dir="auto" ${asParagraph}>${lines(plain)}</p>`;

const factTable = (facts: NonNullable<Letter['facts']>): string =>
  table(
    'width="100%"',
    facts
      .map(({ label, value, href }) => {
        const shown = href
          ? `<a href="${escapeHtml(href)}" ${asFactLink}>${escapeHtml(value)}</a>`
          : escapeHtml(value);
        return `<tr><td width="76" valign="baseline" ${asFactLabelCell}><p ${asFactLabel}>${escapeHtml(label)}</p></td><td valign="baseline" ${asFactCell}><p dir="auto" ${asFact}>${shown}</p></td></tr>`;
      })
      .join(''),
  );

const quotation = ({ label, text: quoted }: NonNullable<Letter['quote']>): string =>
  table(
    'width="100%"',
    `<tr><td ${asQuotation}><p ${asQuotationLabel}>${escapeHtml(label)}</p>${paragraph(quoted)}</td></tr>`,
  );

/** A cell with a ground of its own: Outlook takes neither padding nor round corners on a link. */
const button = ({ label, url }: NonNullable<Letter['action']>): string =>
  table(
    '',
    `<tr><td ${groundOf('field')} align="center" ${painted('button', 'border-radius:8px;mso-padding-alt:14px 28px')}><a href="${escapeHtml(url)}" ${painted('button-ink', `display:inline-block;padding:14px 28px;border-radius:8px;${text(16, 1.25, 'bold')};text-decoration:none`)}>${escapeHtml(label)}</a></td></tr>`,
  );

const bareLink = (url: string): string =>
  `<p ${asBareLink}><a href="${escapeHtml(url)}" ${asQuietLink}>${escapeHtml(url)}</a></p>`;

const small = (content: string): string =>
  `<p ${asSmall}><span ${painted('soft')}>${content}</span></p>`;

const quietLink = (href: string, label: string): string =>
  `<a href="${href}" ${asQuietLink}>${label}</a>`;

const { hello } = company.mailboxes;
const { office } = company.phones;
const signature = `<p ${painted('soft', text(14, 1.7))}><strong ${painted('ink')}>${escapeHtml(company.name)}</strong><br>${quietLink(`mailto:${hello}`, hello)} &nbsp;·&nbsp; <span style="white-space:nowrap">${quietLink(office.href, office.label)}</span></p>`;

const why = (reason: string | undefined): string =>
  reason ? `<p ${asReason}>${escapeHtml(reason)}</p>` : '';

/** What mail programs show beside the subject; the blanks keep the rest of the mail out of there. */
const preheader = (plain: string): string => {
  // No letter is more than two of a string's units.
  const shown = Array.from(plain.slice(0, 2 * 140))
    .slice(0, 140)
    .join('');
  return `<div style="display:none;max-height:0;overflow:hidden;opacity:0;mso-hide:all" aria-hidden="true">${escapeHtml(shown)}${blanks}</div>`;
};
const blanks = '&#847;&zwnj;&nbsp;'.repeat(60);

const wordmark = table(
  '',
  `<tr>${lantern}<td valign="middle"><p ${painted('ink', `${text(19, 1.2, 'bold')};letter-spacing:-.02em`)}>${escapeHtml(company.name)}</p></td></tr>`,
);

/** What lies around a letter. */
function sheet(title: string, preview: string, content: string, reason: string): string {
  const card = table(
    `width="100%" ${groundOf('raised')} ${painted('raised', 'border:1px solid;border-radius:16px;border-collapse:separate')}`,
    `<tr><td style="padding:32px 24px">${table('width="100%" style="table-layout:fixed"', content)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en" dir="ltr" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<meta name="x-apple-disable-message-reformatting">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<!--[if mso]><xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml><style>h1,p,a{font-family:Arial,sans-serif!important}</style><![endif]-->
<style>:root{color-scheme:light dark}${nightStyles}</style>
<style>${outlookNightStyles}</style>
</head>
<body ${groundOf('ground')} ${painted('ground', 'margin:0;padding:0;-webkit-text-size-adjust:100%')}>
${preview}
<div role="article" aria-roledescription="email" aria-label="${title}" lang="en">
${table(
  `width="100%" ${groundOf('ground')} ${painted('ground')}`,
  `<tr><td align="center" style="padding:28px 12px 40px">
<!--[if mso]><table role="presentation" width="560" align="center"><tr><td><![endif]-->
${table(
  'width="100%" style="max-width:560px;margin:0 auto;text-align:left"',
  `<tr><td style="padding:0 4px 20px">${wordmark}</td></tr>
<tr><td>${card}</td></tr>
<tr><td ${painted('line', 'border-bottom:2px solid;padding:28px 4px 0')}>${street}</td></tr>
<tr><td style="padding:18px 4px 0">${signature}${reason}</td></tr>`,
)}
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>`,
)}
</div>
</body>
</html>
`;
}

/** The sheet between its four slots, of which the title's is there twice. Most of a mail never changes. */
const slot = '\0';
const aroundSlots = { raw: sheet(slot, slot, slot, slot).split(slot) };

/**
 * A letter as HTML that Outlook, Gmail and Apple Mail draw alike: tables, inline styles, nothing
 * from anywhere else. Night colors for programs that ask for them. Narrow without a media query,
 * which Gmail drops for some: 320 pixels are enough.
 */
export function letterHtml(letter: Letter): string {
  const title = escapeHtml(letter.heading ?? company.name);
  const { action, facts, quote, link } = letter;
  const content = [
    ...(letter.heading ? [row(0, heading(letter.heading))] : []),
    ...letter.paragraphs.map((plain, index) =>
      row(index === 0 && !letter.heading ? 0 : 16, paragraph(plain)),
    ),
    ...(facts ? [row(20, factTable(facts))] : []),
    ...(quote ? [row(20, quotation(quote))] : []),
    ...(action ? [row(26, button(action)), row(14, bareLink(action.url))] : []),
    ...(letter.note || link
      ? [
          row(
            26,
            small(
              [
                ...(letter.note ? [lines(letter.note)] : []),
                ...(link ? [quietLink(escapeHtml(link.url), escapeHtml(link.label))] : []),
              ].join(' '),
            ),
          ),
        ]
      : []),
    ...(link ? [row(6, bareLink(link.url))] : []),
  ].join('\n');
  const preview = preheader(letter.preheader ?? letter.paragraphs[0] ?? '');
  return String.raw(aroundSlots, title, preview, title, content, why(letter.reason));
}
