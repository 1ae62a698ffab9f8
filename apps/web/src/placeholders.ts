import { company } from '@app/site/company';
import { offers } from '@app/site/offers';
import { escapeXml } from './head/xml.ts';

const definitions: unknown = { company, offers };

/**
 * Replaces `{company.name}`, `{offers.emailReply}` and so on with the values in packages/site.
 * @param file the path that an error names
 * @throws for an unknown placeholder
 */
export const fillPlaceholders = (text: string, file: string): string =>
  text.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => definitionOf(name, file));

/** The same for HTML from Markdown, which percent-encodes braces in URLs. */
export const fillPlaceholdersInHtml = (html: string, file: string): string =>
  html.replaceAll(/(?:\{|%7B)([^{}%]*)(?:\}|%7D)/g, (_, name: string) =>
    escapeXml(definitionOf(name, file)),
  );

const definitionOf = (name: string, file: string): string => {
  const value = name
    .split('.')
    .reduce<unknown>((part, key) => (Object(part) as Record<string, unknown>)[key], definitions);
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw new Error(`${file}: unknown placeholder {${name}}`);
  }
  return String(value);
};
