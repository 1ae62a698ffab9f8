import { Fragment, type ReactNode } from 'react';
import { Button, Column, Link, Row, Section, Text } from 'react-email';
import { manyLines, oneLine } from './clean-text.ts';
import { typography } from './Layout.tsx';
import { themed } from './theme.ts';

/** In the direction of its own script: names come in all of them. */
export const Paragraph = ({ children }: { children: ReactNode }) => (
  <Text dir="auto" {...themed('ink', { ...typography(16, 1.6), marginTop: '16px' })}>
    {children}
  </Text>
);

interface LinkProps {
  href: string;
  children: string;
}

/** The one thing to do. The link is also shown as text, for programs without links. */
export const ActionButton = ({ href, children }: LinkProps) => (
  <Section style={{ paddingTop: '26px' }}>
    <Button
      href={href}
      {...themed('button', {
        ...typography(16, 1.25),
        padding: '14px 28px',
        borderRadius: '8px',
        fontWeight: 700,
      })}
    >
      {children}
    </Button>
    <Text
      data-skip-in-text="true"
      {...themed('soft', { ...typography(13, 1.5), marginTop: '14px' })}
    >
      <Link href={href} {...themed('soft', { textDecoration: 'underline' })}>
        {href}
      </Link>
    </Text>
  </Section>
);

/** Small print below the rest. */
export const Note = ({ children }: { children: ReactNode }) => (
  <Section style={{ paddingTop: '26px' }}>
    <Text
      {...themed('note', { ...typography(14, 1.6), borderTop: '1px solid', paddingTop: '20px' })}
    >
      {children}
    </Text>
  </Section>
);

/** A link within a `Note`. */
export const NoteLink = ({ href, children }: LinkProps) => (
  <Link href={href} {...themed('soft', { textDecoration: 'underline' })}>
    {children}
  </Link>
);

interface FactProps {
  label: string;
  /** What a user entered: one line, so that it cannot pass for another fact. */
  value: string;
  /** `mailto:` or `tel:` */
  href?: string | undefined;
}

/** Labels and their values, a line each. */
export const Facts = ({ facts }: { facts: readonly FactProps[] }) => (
  <Section style={{ paddingTop: '20px' }}>
    {facts.map(({ label, value, href }) => (
      <Row
        key={label}
        data-text="fact"
        {...themed('line', { borderTop: '1px solid', tableLayout: 'fixed' })}
      >
        <Column valign="baseline" data-text="inline" style={{ width: '84px', padding: '9px 0' }}>
          <Text data-text="inline" {...themed('soft', typography(14, 1.6))}>
            {`${label}: `}
          </Text>
        </Column>
        <Column valign="baseline" data-text="inline" style={{ padding: '9px 0' }}>
          <Text dir="auto" data-text="inline" {...themed('ink', typography(16, 1.4))}>
            {href ? (
              <Link href={href} {...themed('link', { textDecoration: 'underline' })}>
                {oneLine(value)}
              </Link>
            ) : (
              oneLine(value)
            )}
          </Text>
        </Column>
      </Row>
    ))}
  </Section>
);

/** What a user wrote, with its own lines. */
export const Quote = ({ label, children }: { label: string; children: string }) => (
  <Section style={{ paddingTop: '20px' }}>
    <Section
      {...themed('quote', {
        borderLeft: '4px solid',
        borderRadius: '0 8px 8px 0',
        tableLayout: 'fixed',
        padding: '16px 20px',
      })}
    >
      <Text {...themed('soft', { ...typography(14, 1.5), paddingBottom: '6px' })}>{label}:</Text>
      <Text dir="auto" data-text="quote" {...themed('ink', typography(16, 1.6))}>
        {manyLines(children)
          .split('\n')
          .map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity
            <Fragment key={index}>
              {index > 0 && <br />}
              {line}
            </Fragment>
          ))}
      </Text>
    </Section>
  </Section>
);
