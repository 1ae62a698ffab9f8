import * as v from 'valibot';
import { count } from '../../cli/schemas.ts';
import { counted, plainText } from '../../cli/table.ts';

export const importResult = v.strictObject({
  /** Such as Ghost. */
  source: v.string(),
  found: count,
  published: count,
  drafts: count,
  skipped: count,
  /** Imported by an earlier run. */
  existing: count,
  /** Posts without an author, by the email address of the source, which may be ''. */
  unknownAuthors: v.array(v.strictObject({ email: v.string(), posts: count })),
  /** The author that they got. */
  author: v.nullable(v.string()),
  /** What was changed or skipped, by post. */
  notes: v.array(v.strictObject({ name: v.string(), note: v.string() })),
  isDryRun: v.boolean(),
  isInterrupted: v.boolean(),
});

const counts = (published: number, drafts: number): string =>
  `${counted(published + drafts, 'post')} (${published} published, ${counted(drafts, 'draft')})`;

/** What was imported, and by post what was changed or skipped and why. */
export function formatReport(result: v.InferOutput<typeof importResult>): string {
  const { source, found, published, drafts, skipped, existing, isDryRun } = result;
  const lines = [
    `${source}: ${counted(found, 'post')}.`,
    `${isDryRun ? 'Would import' : 'Imported'} ${counts(published, drafts)}.`,
    ...(existing > 0 ? [`${counted(existing, 'post')} had been imported before.`] : []),
    ...(skipped > 0 ? [`${counted(skipped, 'post')} skipped.`] : []),
    ...result.unknownAuthors.map(({ email, posts }) => {
      const whose =
        email === '' ? 'no author' : `the author ${plainText(email)}, who has no account here`;
      return `${counted(posts, 'post')} with ${whose}: by ${result.author ?? 'the company'}.`;
    }),
    ...(result.isInterrupted ? ['Interrupted: run the command again to import the rest.'] : []),
    ...(!isDryRun && published > 0
      ? ['A running server publishes them now, otherwise the next start does.']
      : []),
    ...(result.notes.length > 0 ? [''] : []),
    ...result.notes.map(({ name, note }) => `${plainText(name)}: ${plainText(note)}`),
  ];
  return `${lines.join('\n')}\n`;
}
