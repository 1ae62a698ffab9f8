import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { toIso } from '../clock.ts';
import type { NewEmail } from '../email/outbox.ts';
import type { EmailBodies } from '../email/render.tsx';
import { nightQuery } from '../email/theme.ts';
import type { OutboxEmail } from '../email/transport.ts';

/** For our pages: their styles, and emails in frames. */
export const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'";

/** For emails: no scripts, and no origin, so that cookies cannot be read. */
export const emailPolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

type Rendered<T> = T & (EmailBodies | { problem: string });

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
  { href: '/api/dev/emails', label: 'Emails' },
  { href: '/api/dev/emails/templates', label: 'Templates' },
];

interface PageProps {
  title: string;
  path: string;
  intro: string;
  children: ReactNode;
}

const page = (props: PageProps): string =>
  `<!doctype html>${renderToStaticMarkup(<Page {...props} />)}`;

const Page = ({ title, path, intro, children }: PageProps) => (
  <html lang="en">
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>{title}</title>
      <style>{styles}</style>
    </head>
    <body>
      <nav>
        {tabs.map(({ href, label }) => (
          <a key={href} href={href} aria-current={href === path ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <main>
        <h1>{title}</h1>
        <p className="soft">{intro}</p>
        {children}
      </main>
    </body>
  </html>
);

type Hour = 'day' | 'night';

/** Forces the theme of an email, whatever the system's theme is. */
export const emailAt = (html: string, hour: Hour): string =>
  html.replace(`@media ${nightQuery}`, hour === 'night' ? '@media all' : '@media not all');

interface FrameProps {
  path: string;
  hour: Hour;
  width: number;
  height: number;
}

const Frame = ({ path, hour, width, height }: FrameProps) => {
  const title = `${width} px, by ${hour}`;
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <iframe
        sandbox=""
        loading="lazy"
        title={title}
        src={`${path}?hour=${hour}`}
        width={width}
        height={height}
      />
    </figure>
  );
};

/** The plain text, whose links work, unlike those in the sandboxed frame. */
const PlainText = ({ text }: { text: string }) => (
  <figure className="text">
    <figcaption>Text</figcaption>
    <pre>
      {text.split(/(https?:\/\/\S+)/).map((part) =>
        part.startsWith('http') ? (
          <a key={part} href={part}>
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </pre>
  </figure>
);

const Facts = ({ facts }: { facts: readonly (readonly [string, unknown])[] }) => (
  <dl>
    {facts
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [
        <dt key={name}>{name}</dt>,
        <dd key={`${name} value`}>{String(value)}</dd>,
      ])}
  </dl>
);

const headersOf = ({ to, replyTo, subject, headers }: NewEmail | OutboxEmail) =>
  [
    ['To', to],
    ['Reply-To', replyTo],
    ['Subject', subject],
    ...Object.entries(headers ?? {}),
  ] as const;

const Bodies = ({
  email,
  path,
  frames,
}: {
  email: EmailBodies | { problem: string };
  path: string;
  frames: readonly Omit<FrameProps, 'path'>[];
}) =>
  'problem' in email ? (
    <p>{`It cannot be rendered: ${email.problem}`}</p>
  ) : (
    <div className="frames">
      {frames.map((frame) => (
        <Frame key={`${frame.width} ${frame.hour}`} path={path} {...frame} />
      ))}
      <PlainText text={email.text} />
    </div>
  );

/** @param all the number of emails, shown or not */
export const emailsPage = (emails: readonly Rendered<OutboxEmail>[], all: number): string =>
  page({
    title: 'Emails',
    path: '/api/dev/emails',
    intro: countOf(emails.length, all),
    children: emails.map((email) => <Email key={email.id} email={email} />),
  });

const countOf = (shown: number, all: number): string => {
  if (all === 0) return 'None yet. Sign up, or send a message, and look here again.';
  return all > shown ? `The newest ${shown} of ${all}.` : `${all} in all.`;
};

const Email = ({ email }: { email: Rendered<OutboxEmail> }) => (
  <details>
    <summary>
      <span className={`state ${email.state}`}>{email.state}</span>
      <span>
        <strong>{email.subject}</strong>
        <br />
        <span className="soft">{`to ${email.to}`}</span>
      </span>
      <span className="soft">
        {email.kind}
        <br />
        {toIso(email.createdAt)}
      </span>
    </summary>
    <div className="inside">
      <Facts
        facts={[
          ...headersOf(email),
          ['Id', email.id],
          ['Attempts', email.attempts],
          ['Last error', email.lastError],
          [email.state === 'queued' ? 'Next attempt' : 'Sent', nextOrSent(email)],
        ]}
      />
      <Bodies
        email={email}
        path={`/api/dev/emails/${email.id}/html`}
        frames={[
          { hour: 'day', width: 600, height: 820 },
          { hour: 'night', width: 320, height: 820 },
        ]}
      />
    </div>
  </details>
);

const nextOrSent = ({ state, nextAttemptAt, sentAt }: OutboxEmail): string | null => {
  if (state === 'queued') return toIso(nextAttemptAt);
  return sentAt === null ? null : toIso(sentAt);
};

const sampleFrames = ([600, 320] as const).flatMap((width) =>
  (['day', 'night'] as const).map((hour) => ({ hour, width, height: 860 })),
);

export const templatesPage = (samples: readonly Rendered<NewEmail>[]): string =>
  page({
    title: 'Templates',
    path: '/api/dev/emails/templates',
    intro: 'Every email that the site sends, with sample content.',
    children: samples.map((email, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes while it is rendered
      <section key={index}>
        <h2>{email.kind}</h2>
        {'html' in email && (
          <p className="soft">{`${(Buffer.byteLength(email.html) / 1_000).toFixed(1)} kB of HTML`}</p>
        )}
        <Facts facts={headersOf(email)} />
        <Bodies email={email} path={`/api/dev/emails/templates/${index}`} frames={sampleFrames} />
      </section>
    )),
  });
