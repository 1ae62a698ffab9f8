import type { AppContext } from './context.ts';
import type { FormFields } from './input.ts';

/** In characters. URLs should be short. */
const maxLength = 300;

/**
 * The URL of a page that shows a rejected form without JavaScript again, with its entries. The
 * fields must not be secret.
 */
export function withEntries(
  page: string,
  fields: FormFields | null,
  names: readonly string[],
): string {
  const entries = names.flatMap((name): [string, string][] => {
    const text = fields?.[name];
    return text === undefined || text.length > maxLength ? [] : [[name, text]];
  });
  // `returnPath` allows no plus signs.
  const query = new URLSearchParams(entries).toString().replaceAll('+', '%20');
  return query === '' ? page : `${page}?${query}`;
}

/** The entries in the URL of such a page. */
export const readEntries = <Name extends string>(
  c: AppContext,
  names: readonly Name[],
): Partial<Record<Name, string>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const text = c.req.query(name);
      return text === undefined || text.length > maxLength ? [] : [[name, text]];
    }),
  ) as Partial<Record<Name, string>>;
