import { escapeHtml } from '../email/escape-html.ts';
import { nightQuery } from '../email/paint.ts';
import type { OutgoingMail } from '../email/transport.ts';
import type { MailSample } from './mail-samples.ts';

/** What these pages may do: show their own styles and, in frames, mails. */
export const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'";

/** What a mail may do when a browser shows it: nothing. It has no origin, so it reads no cookie. */
export const mailPolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

const styles = `
:root { color-scheme: light dark; --line: light-dark(#e4dccb, #25312e); --soft: light-dark(#4c5a55, #a9b4ae); }
body { margin: 0; padding: 2rem clamp(1rem, 4vw, 3rem) 4rem; background: light-dark(#fbf7ef, #0d1413); color: light-dark(#15211e, #f1ede3); font: 1rem/1.5 system-ui, sans-serif; }
a { color: light-dark(#0f5140, #8fd8b8); }
nav { display: flex; gap: 1.5rem; margin-bottom: 2rem; }
nav [aria-current] { color: inherit; font-weight: 700; text-decoration: none; }
h1 { margin: 0 0 .5rem; font-size: 2rem; line-height: 1.1; letter-spacing: -.02em; }
h2 { margin: 0; font-size: 1.25rem; }
.soft, dt { color: var(--soft); }
details, section { margin-top: 1rem; border: 1px solid var(--line); border-radius: .75rem; background: light-dark(#fff, #141d1b); }
section, .inside { padding: 1.25rem; }
.inside { border-top: 1px solid var(--line); }
summary { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr) auto; gap: .25rem 1rem; align-items: baseline; padding: .75rem 1.25rem; cursor: pointer; overflow-wrap: anywhere; }
.state { border-radius: 1rem; padding: 0 .75rem; text-align: center; font-size: .875rem; background: light-dark(#fdf0d6, #2a2214); color: light-dark(#5c3a05, #ffd9a0); }
.sent { background: light-dark(#e4efe7, #15271f); color: light-dark(#0f5140, #8fd8b8); }
.dead { background: light-dark(#fbeae5, #2c1814); color: light-dark(#9c2b1d, #ffb09f); }
dl { display: grid; grid-template-columns: 8rem minmax(0, 1fr); gap: .25rem 1rem; margin: 0 0 1.25rem; font-size: .9375rem; }
dd { margin: 0; overflow-wrap: anywhere; }
.frames { display: flex; flex-wrap: wrap; gap: 1.25rem; align-items: start; overflow-x: auto; }
figure { margin: 0; }
figcaption { margin-bottom: .25rem; color: var(--soft); font-size: .875rem; }
iframe { border: 1px solid var(--line); border-radius: .5rem; }
pre { margin: 0; padding: 1rem; border: 1px solid var(--line); border-radius: .5rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .875rem; }
.text { flex: 1 1 18rem; min-width: 0; }
@media (max-width: 40rem) { summary { grid-template-columns: 5.5rem minmax(0, 1fr); } summary > :last-child { grid-column: 2; } dl { grid-template-columns: 1fr; } }
`;

const tabs = [
  { href: '/api/dev/mails', label: 'Mails' },
  { href: '/api/dev/mails/templates', label: 'Templates' },
];

const page = (title: string, here: string, content: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${styles}</style></head>
<body>
<nav>${tabs.map(({ href, label }) => `<a href="${href}"${href === here ? ' aria-current="page"' : ''}>${label}</a>`).join('')}</nav>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;

type Hour = 'day' | 'night';

/** A mail as it looks at that hour, whatever the theme of the system. */
export const mailAt = (html: string, hour: Hour): string =>
  html.replace(`@media ${nightQuery}`, hour === 'night' ? '@media all' : '@media not all');

const frame = (address: string, hour: Hour, width: number, height: number): string =>
  `<figure><figcaption>${width} px, by ${hour}</figcaption><iframe sandbox loading="lazy" title="${width} px, by ${hour}" src="${escapeHtml(address)}?hour=${hour}" width="${width}" height="${height}"></iframe></figure>`;

/** Links can be followed here: in its frame a mail cannot lead anywhere. */
const plainText = (text: string): string => {
  const linked = escapeHtml(text).replace(/https?:\/\/\S+/g, '<a href="$&">$&</a>');
  return `<figure class="text"><figcaption>Text</figcaption><pre>${linked}</pre></figure>`;
};

const facts = (lines: readonly (readonly [string, string | number | null | undefined])[]): string =>
  `<dl>${lines
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(String(value))}</dd>`)
    .join('')}</dl>`;

const headersOf = ({ to, replyTo, subject, headers }: MailSample | OutgoingMail) =>
  [
    ['To', to],
    ['Reply-To', replyTo],
    ['Subject', subject],
    ...Object.entries(headers ?? {}),
  ] as const;

const time = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Every mail with what became of it. */
export function mailsPage(mails: readonly OutgoingMail[], all: number): string {
  const list = mails.map((mail) => {
    const address = `/api/dev/mails/${mail.id}/html`;
    return `<details>
<summary><span class="state ${mail.state}">${mail.state}</span><span><strong>${escapeHtml(mail.subject)}</strong><br><span class="soft">to ${escapeHtml(mail.to)}</span></span><span class="soft">${escapeHtml(mail.kind)}<br>${time(mail.createdAt)}</span></summary>
<div class="inside">
${facts([
  ...headersOf(mail),
  ['Id', mail.id],
  ['Attempts', mail.attempts],
  ['Last error', mail.lastError],
  [mail.state === 'queued' ? 'Next attempt' : 'Sent', nextOrSent(mail)],
])}
<div class="frames">${frame(address, 'day', 600, 820)}${frame(address, 'night', 320, 820)}${plainText(mail.text)}</div>
</div>
</details>`;
  });
  const shown = all > mails.length ? `The newest ${mails.length} of ${all}.` : `${all} in all.`;
  const none = 'None yet. Sign up, or send a message, and look here again.';
  return page(
    'Mails',
    '/api/dev/mails',
    `<p class="soft">${all === 0 ? none : shown}</p>${list.join('\n')}`,
  );
}

const nextOrSent = ({ state, nextAttemptAt, sentAt }: OutgoingMail): string | null => {
  if (state === 'queued') return time(nextAttemptAt);
  return sentAt === null ? null : time(sentAt);
};

/** @param samples by the name of their template */
export function templatesPage(samples: Readonly<Record<string, readonly MailSample[]>>): string {
  const sections = Object.entries(samples).flatMap(([name, mails]) =>
    mails.map((mail, index) => {
      const address = `/api/dev/mails/templates/${name}/${index}`;
      const frames = ([600, 320] as const).flatMap((width) =>
        (['day', 'night'] as const).map((hour) => frame(address, hour, width, 860)),
      );
      const kilobytes = (Buffer.byteLength(mail.html) / 1_000).toFixed(1);
      return `<section id="${name}-${index}"><h2>${name}</h2><p class="soft">${escapeHtml(mail.kind)}, ${kilobytes} kB of HTML</p>
${facts(headersOf(mail))}<div class="frames">${frames.join('')}${plainText(mail.text)}</div></section>`;
    }),
  );
  const intro = 'Every mail that the product sends, with made-up contents.';
  return page(
    'Templates',
    '/api/dev/mails/templates',
    `<p class="soft">${intro}</p>${sections.join('\n')}`,
  );
}
