import { render, toPlainText } from 'react-email';
import * as v from 'valibot';
import type { EmailTemplates } from './template.ts';

interface EmailContent {
  kind: string;
  to: string;
  props: Record<string, unknown>;
}

export interface EmailBodies {
  text: string;
  html: string;
}

/**
 * Deterministic. Returns a problem for a row that another version of the server has written;
 * rejects on temporary failures.
 */
export type RenderEmail = (email: EmailContent) => Promise<EmailBodies | { problem: string }>;

/** A line that is quoted twice still fits in the 78 characters of RFC 5322. */
const lineLength = 72;

const textOptions = {
  wordwrap: lineLength,
  selectors: [
    { selector: 'h1', options: { uppercase: false } },
    { selector: 'a[href^="mailto:"]', format: 'inline' },
    { selector: 'a[href^="tel:"]', format: 'inline' },
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
