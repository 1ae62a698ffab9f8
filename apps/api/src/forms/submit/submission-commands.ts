import type { Database } from '@app/db/open';
import { stringify } from 'csv-stringify/sync';
import { asc, gte } from 'drizzle-orm';
import * as v from 'valibot';
import { type AnyCommand, type DatabaseContext, defineCommand } from '../../cli/command.ts';
import { UsageError } from '../../cli/errors.ts';
import { count } from '../../cli/schemas.ts';
import { formatRest, formatTable, formatTime } from '../../cli/table.ts';
import { choice, defaultLimit, limit, optional, type Value } from '../../cli/values.ts';
import { toIso } from '../../clock.ts';
import type { SubmissionTable } from './form.ts';

/** Values by column name, plus the name of the form. Lists are joined with semicolons. */
const submission = v.record(v.string(), v.nullable(v.string()));

type Submission = v.InferOutput<typeof submission>;

function readTable(db: Database, { form, table, columns }: SubmissionTable, since: number) {
  const selected = Object.fromEntries(columns.map((column) => [column.name, column]));
  const rows = db
    .select({ ...selected, createdAt: table.createdAt })
    .from(table)
    .where(gte(table.createdAt, since))
    .orderBy(asc(table.createdAt))
    .all();
  return rows.map(({ createdAt, ...row }) => {
    const values = Object.entries(row).map(([name, value]) => [name, toText(value)]);
    const read: Submission = { form, ...Object.fromEntries(values) };
    return { createdAt: Number(createdAt), submission: read };
  });
}

function toText(value: unknown): string | null {
  if (typeof value === 'number') return toIso(value);
  if (Array.isArray(value)) return value.join('; ');
  return value === null ? null : String(value);
}

/** A day in UTC, as the time when it begins. */
const since: Value<number> = {
  placeholder: 'day',
  description: 'Only submissions since this day in UTC, such as 2026-03-01.',
  parse(day) {
    const at = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN;
    // Date.parse accepts 2026-02-31 as March 3.
    if (!Number.isNaN(at) && toIso(at).startsWith(day)) return at;
    throw new UsageError(`--since ${day}: expected a day such as 2026-03-01.`);
  },
};

interface Filter {
  arguments: { form: string | undefined };
  options: { since: number | undefined };
}

export function submissionCommands(tables: readonly SubmissionTable[]): readonly AnyCommand[] {
  const form = optional(
    choice(
      'form',
      tables.map((table) => table.form),
      'Only submissions of this form.',
    ),
  );
  const allColumns = ['form', ...new Set(tables.flatMap(columnsOf))];

  const tablesOf = (given: Filter): readonly SubmissionTable[] => {
    const asked = given.arguments.form;
    return tables.filter((table) => asked === undefined || table.form === asked);
  };

  /** Oldest first. */
  function read({ db, progress }: DatabaseContext, given: Filter): Submission[] {
    const asked = tablesOf(given);
    return asked
      .flatMap((table, index) => {
        progress(index / asked.length);
        return readTable(db, table, given.options.since ?? 0);
      })
      .sort((a, b) => a.createdAt - b.createdAt)
      .map((row) => row.submission);
  }

  const list = defineCommand({
    name: 'submissions list',
    summary: 'Lists submissions, newest first.',
    uses: 'database',
    arguments: { form },
    options: { since, limit },
    examples: ['submissions list contact --since 2026-03-01'],
    result: v.strictObject({ submissions: v.array(submission), total: count }),
    async run(context, given) {
      const all = read(context, given);
      const shown = all.toReversed().slice(0, given.options.limit ?? defaultLimit);
      return { submissions: shown, total: all.length };
    },
    format({ submissions, total }) {
      if (total === 0) return 'There are no submissions.\n';
      const table = formatTable(
        ['SENT (UTC)', 'FORM', 'NAME', 'EMAIL'],
        submissions.map((each) => ({
          cells: [
            formatTime(each['created_at'] ?? ''),
            each['form'] ?? '',
            each['name'] ?? '',
            each['email'] ?? '',
          ],
          note: noteOf(each),
        })),
      );
      return table + formatRest(submissions.length, total);
    },
  });

  const exportAll = defineCommand({
    name: 'submissions export',
    summary: 'Exports submissions, oldest first, as CSV, or with --json as JSON.',
    uses: 'database',
    arguments: { form },
    options: { since },
    examples: ['submissions export contact > contact.csv', 'submissions export --json'],
    result: v.strictObject({ submissions: v.array(submission) }),
    run: async (context, given) => ({ submissions: read(context, given) }),
    format({ submissions }, given) {
      const [only, ...others] = tablesOf(given);
      return formatCsv(only && others.length === 0 ? columnsOf(only) : allColumns, submissions);
    },
  });

  return [list, exportAll];
}

const columnsOf = ({ columns }: SubmissionTable): string[] => columns.map(({ name }) => name);

function noteOf(values: Submission): string {
  const text = values['message'] ?? values['state'] ?? '';
  return values['spam_signals'] ? `[quarantine] ${text}` : text;
}

/** Control characters except tabs and line breaks. */
const controls = /[^\P{Cc}\t\n\r]/gu;

/**
 * RFC 4180, with a byte order mark for Excel. Values that spreadsheets would execute as formulas
 * get a leading ' (OWASP, CSV injection).
 */
const formatCsv = (names: readonly string[], rows: readonly object[]): string =>
  stringify([...rows], {
    header: true,
    columns: [...names],
    bom: true,
    record_delimiter: 'windows',
    escape_formulas: true,
    cast: { string: (text) => text.replace(controls, '') },
  });
