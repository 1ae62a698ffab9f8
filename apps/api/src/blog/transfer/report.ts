import { counted, plainText } from '../../cli/table.ts';
import type { ImportReport } from './import.ts';

const counts = (published: number, drafts: number): string =>
  `${counted(published + drafts, 'post')} (${published} published, ${counted(drafts, 'draft')})`;

/** For the command line: what was imported, and by post what was changed or skipped and why. */
export function formatReport(
  report: ImportReport,
  { isDryRun, defaultAuthor }: { isDryRun: boolean; defaultAuthor: string | null },
): string {
  const { published, drafts, skipped, existing, unknownAuthors, notes } = report;
  const lines = [
    `${isDryRun ? 'Would import' : 'Imported'} ${counts(published, drafts)}.`,
    ...(existing > 0 ? [`${counted(existing, 'post')} had been imported before.`] : []),
    ...(skipped > 0 ? [`${counted(skipped, 'post')} skipped.`] : []),
    ...[...unknownAuthors].map(([email, posts]) => {
      const whose =
        email === '' ? 'no author' : `the author ${plainText(email)}, who has no account here`;
      return `${counted(posts, 'post')} with ${whose}: by ${defaultAuthor ?? 'the company'}.`;
    }),
    ...(report.isInterrupted ? ['Interrupted: run the command again to import the rest.'] : []),
    ...(!isDryRun && published > 0
      ? ['A running server publishes them now, otherwise the next start does.']
      : []),
    ...(notes.length > 0 ? [''] : []),
    ...notes.map(({ name, note }) => `${plainText(name)}: ${plainText(note)}`),
  ];
  return `${lines.join('\n')}\n`;
}
