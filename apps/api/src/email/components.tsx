import { oneLine, withoutControls } from '@app/contract/clean-text';
import { Fragment, type ReactNode } from 'react';
import { Button, Column, Link, Row, Section, Text } from 'react-email';

import { typography } from './Layout.tsx';
import { themed } from './theme.ts';

/** `dir="auto"`, because text can be in any script. */
export const Paragraph = ({ children }: { children: ReactNode }) => (
  <Text dir="auto" {...themed('ink', { ...typography(16, 1.6), marginTop: '16px' })}>
    {children}
  </Text>
);

interface LinkProps {
  href: string;
  children: string;
}

/** Also shows the URL, for clients without links. */
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

export const Note = ({ children }: { children: ReactNode }) => (
  <Section style={{ paddingTop: '26px' }}>
    <Text
      {...themed('note', { ...typography(14, 1.6), borderTop: '1px solid', paddingTop: '20px' })}
    >
      {children}
    </Text>
  </Section>
);

export const NoteLink = ({ href, children }: LinkProps) => (
  <Link href={href} {...themed('soft', { textDecoration: 'underline' })}>
    {children}
  </Link>
);

/** Within a paragraph. */
export const TextLink = ({ href, children }: LinkProps) => (
  <Link href={href} {...themed('link', { textDecoration: 'underline' })}>
    {children}
  </Link>
);

interface FactProps {
  label: string;
  /** User input on one line, so that it cannot look like another fact. */
  value: string;
  /** `mailto:` or `tel:` */
  href?: string | undefined;
}

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
            {href ? <TextLink href={href}>{oneLine(value)}</TextLink> : oneLine(value)}
          </Text>
        </Column>
      </Row>
    ))}
  </Section>
);

/** User input with its line breaks. */
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
        {withoutControls(children)
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
