import { company } from '@app/site/company';
import { offers } from '@app/site/offers';

const facts: unknown = { company, offers };

/**
 * Replaces `{company.name}`, `{offers.emailReply}` and the like in a text by what
 * packages/site/src/company.ts and offers.ts define.
 * @param file where the text is from, for the error
 * @throws when there is no such definition
 */
export const fillPlaceholders = (text: string, file: string): string =>
  text.replaceAll(/\{([^{}]*)\}/g, (placeholder, name: string) => {
    const value = name
      .split('.')
      .reduce<unknown>((part, key) => (Object(part) as Record<string, unknown>)[key], facts);
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new Error(`${file}: unknown placeholder ${placeholder}`);
    }
    return String(value);
  });
