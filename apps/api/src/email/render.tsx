import { render, toPlainText } from 'react-email';
import * as v from 'valibot';
import type { EmailTemplates } from './template.ts';

/** A row of the outbox, as far as its template is concerned. */
export interface EmailContent {
  kind: string;
  to: string;
  props: Record<string, unknown>;
}

export interface EmailBodies {
  text: string;
  html: string;
}

/**
 * Both bodies of an email: the same for the same row. Or the reason why it has none: it was
 * enqueued by a version of the program with other templates. Rejects when it cannot be rendered now.
 */
export type RenderEmail = (email: EmailContent) => Promise<EmailBodies | { problem: string }>;

/** Longest line of a plain text, in characters: quoted twice it still fits into RFC 5322's 78. */
const lineLength = 72;

const textOptions = {
  wordwrap: lineLength,
  selectors: [
    { selector: 'h1', options: { uppercase: false } },
    { selector: 'a[href^="mailto:"]', format: 'inline' },
    { selector: 'a[href^="tel:"]', format: 'inline' },
    // What users wrote keeps its lines, and gets no others.
    { selector: '[data-text=quote]', format: 'pre', options: { leadingLineBreaks: 2 } },
    {
      selector: '[data-text=fact]',
      format: 'pre',
      options: { leadingLineBreaks: 1, trailingLineBreaks: 1 },
    },
    { selector: '[data-text=inline]', format: 'inline' },
  ],
};

export async function renderWith(
  templates: EmailTemplates,
  { kind, to, props }: EmailContent,
): ReturnType<RenderEmail> {
  const template = Object.hasOwn(templates, kind) ? templates[kind] : undefined;
  if (!template) return { problem: `there is no template "${kind}"` };
  const { Component, schema } = template;
  const parsed = v.safeParse(schema, props);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    return { problem: `${v.getDotPath(issue) ?? 'props'}: ${issue.message}` };
  }
  const html = await render(<Component {...parsed.output} to={to} />);
  return { html, text: toPlainText(html, textOptions) };
}
