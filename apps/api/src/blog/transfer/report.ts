import * as v from 'valibot';
import { count } from '../../cli/schemas.ts';
import { counted, plainText } from '../../cli/table.ts';

export const importResult = v.strictObject({
  source: v.string(),
  found: count,
  published: count,
  drafts: count,
  skipped: count,
  existing: count,
  /** Number of posts whose author has no account, by the email address in the source, or ''. */
  unknownAuthors: v.array(v.strictObject({ email: v.string(), posts: count })),
  /** The account that got these posts; null for the company. */
  author: v.nullable(v.string()),
  notes: v.array(v.strictObject({ name: v.string(), note: v.string() })),
  isDryRun: v.boolean(),
  isInterrupted: v.boolean(),
});

const counts = (published: number, drafts: number): string =>
  `${counted(published + drafts, 'post')} (${published} published, ${counted(drafts, 'draft')})`;

export function formatReport(result: v.InferOutput<typeof importResult>): string {
  const { source, found, published, drafts, skipped, existing, isDryRun } = result;
  const lines = [
    `${source}: ${counted(found, 'post')}.`,
    `${isDryRun ? 'Would import' : 'Imported'} ${counts(published, drafts)}.`,
    ...(existing > 0 ? [`${counted(existing, 'post')} had been imported before.`] : []),
    ...(skipped > 0 ? [`${counted(skipped, 'post')} skipped.`] : []),
    ...result.unknownAuthors.map(({ email, posts }) => {
      const whose =
        email === '' ? 'without an author' : `by ${plainText(email)}, who has no account here`;
      return `Attributed to ${result.author ?? 'the company'}: ${counted(posts, 'post')} ${whose}.`;
    }),
    ...(result.isInterrupted ? ['Interrupted: run the command again to import the rest.'] : []),
    ...(!isDryRun && published > 0
      ? ['A running server publishes them now; otherwise, the next start does.']
      : []),
    ...(result.notes.length > 0 ? [''] : []),
    ...result.notes.map(({ name, note }) => `${plainText(name)}: ${plainText(note)}`),
  ];
  return `${lines.join('\n')}\n`;
}
