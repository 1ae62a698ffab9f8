import { oneLine } from '@app/contract/clean-text';
import { cutText } from '@app/contract/cut-text';
import { company } from '@app/site/company';
import type { CSSProperties, ReactNode } from 'react';
import { Body, Container, Head, Heading, Html, Link, Preview, Section, Text } from 'react-email';
import { Lantern, Street } from './Illustrations.tsx';
import { nightStyles, outlookNightStyles, themed } from './theme.ts';

/** Without quotes, because each would be escaped as six characters. */
const fontFamily =
  '-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica Neue,Arial,sans-serif';

export const typography = (fontSize: number, lineHeight: number): CSSProperties => ({
  marginTop: 0,
  marginBottom: 0,
  fontFamily,
  fontSize: `${fontSize}px`,
  lineHeight,
});

const breakable: CSSProperties = { overflowWrap: 'anywhere', wordBreak: 'break-word' };

const maxPreviewLength = 140;

interface LayoutProps {
  /** Shown next to the subject in the inbox. */
  preview: string;
  heading: string;
  /** Why the recipient gets this email. */
  reason: string;
  children: ReactNode;
}

/**
 * Uses tables and inline styles, which Outlook, Gmail and Apple Mail render alike, and loads
 * nothing. Works from 320 pixels up without media queries, which Gmail sometimes drops.
 */
export const Layout = ({ preview, heading, reason, children }: LayoutProps) => (
  <Html lang="en">
    <Head>
      <title>{oneLine(heading)}</title>
      <meta name="viewport" content="width=device-width,initial-scale=1" />
      <meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no" />
      <meta name="color-scheme" content="light dark" />
      <meta name="supported-color-schemes" content="light dark" />
      <style>{`:root{color-scheme:light dark}${nightStyles}`}</style>
      <style>{outlookNightStyles}</style>
    </Head>
    <Body {...themed('page', { margin: 0, padding: 0 })}>
      <Preview useTitleTag={false}>{cutText(oneLine(preview), maxPreviewLength)}</Preview>
      <Section {...themed('page', { ...breakable, padding: '28px 12px 40px' })}>
        {/* Outlook for Windows uses the attribute, other clients the style. */}
        <Container width={560} style={{ width: '100%', maxWidth: '560px', tableLayout: 'fixed' }}>
          <Wordmark />
          <Section
            {...themed('card', {
              border: '1px solid',
              borderRadius: '16px',
              borderCollapse: 'separate',
              tableLayout: 'fixed',
              padding: '32px 24px',
            })}
          >
            <Heading
              {...themed('ink', {
                ...typography(27, 1.2),
                fontWeight: 700,
                letterSpacing: '-.02em',
              })}
            >
              {oneLine(heading)}
            </Heading>
            {children}
          </Section>
          <Section
            data-skip-in-text="true"
            {...themed('line', { borderBottom: '2px solid', padding: '28px 4px 0' })}
          >
            <Street />
          </Section>
          <Signature />
          <Text {...themed('soft', { ...typography(13, 1.6), padding: '10px 4px 0' })}>
            {oneLine(reason)}
          </Text>
        </Container>
      </Section>
    </Body>
  </Html>
);

const Wordmark = () => (
  <Section style={{ padding: '0 4px 20px' }} data-skip-in-text="true">
    <table role="presentation" cellPadding={0} cellSpacing={0}>
      <tbody>
        <tr>
          <Lantern />
          <td valign="middle">
            <Text
              {...themed('ink', {
                ...typography(19, 1.2),
                fontWeight: 700,
                letterSpacing: '-.02em',
              })}
            >
              {company.name}
            </Text>
          </td>
        </tr>
      </tbody>
    </table>
  </Section>
);

const Signature = () => {
  const { hello } = company.mailboxes;
  const { office } = company.phones;
  const quiet = themed('soft', { textDecoration: 'underline', whiteSpace: 'nowrap' });
  return (
    <Text {...themed('soft', { ...typography(14, 1.7), padding: '18px 4px 0' })}>
      <strong {...themed('ink')}>{company.name}</strong>
      <br />
      <Link href={`mailto:${hello}`} {...quiet}>
        {hello}
      </Link>
      {office && (
        <>
          {' · '}
          <Link href={office.href} {...quiet}>
            {office.label}
          </Link>
        </>
      )}
    </Text>
  );
};
