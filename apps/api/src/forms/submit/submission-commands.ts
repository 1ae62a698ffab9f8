import type { Database } from '@app/db/open';
import { stringify } from 'csv-stringify/sync';
import { asc, gte } from 'drizzle-orm';
import {
  type Command,
  type CommandArguments,
  type CommandContext,
  expectAtMost,
  limitOf,
  oneOf,
  UsageError,
} from '../../cli/command.ts';
import { formatRest, formatTable, formatTime } from '../../cli/table.ts';
import type { SubmissionTable } from './form.ts';

interface Submission {
  form: string;
  createdAt: number;
  /** By column name. */
  values: Readonly<Record<string, string | null>>;
}

function readTable(db: Database, { form, table, columns }: SubmissionTable, since: number) {
  const selected = Object.fromEntries(columns.map((column) => [column.name, column]));
  const rows = db
    .select({ ...selected, createdAt: table.createdAt })
    .from(table)
    .where(gte(table.createdAt, since))
    .orderBy(asc(table.createdAt))
    .all();
  return rows.map(({ createdAt, ...row }): Submission => {
    const values = Object.entries(row).map(([name, value]) => [name, toText(value)]);
    return { form, createdAt: Number(createdAt), values: Object.fromEntries(values) };
  });
}

function toText(value: unknown): string | null {
  if (typeof value === 'number') return new Date(value).toISOString();
  if (Array.isArray(value)) return value.join('; ');
  return value === null ? null : String(value);
}

/** In UTC. */
function startOfDay(day: string): number {
  const at = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN;
  // Date.parse accepts 2026-02-31 as March 3.
  if (!Number.isNaN(at) && new Date(at).toISOString().startsWith(day)) return at;
  throw new UsageError(`--since ${day}: expected a day such as 2026-03-01.`);
}

const filter = '[<form>] [--since <day>]';

const formats = ['csv', 'json'] as const;

export function submissionCommands(tables: readonly SubmissionTable[]): readonly Command[] {
  const forms = tables.map(({ form }) => form);
  const allColumns = ['form', ...new Set(tables.flatMap(columnsOf))];

  function tablesOf(args: CommandArguments): readonly SubmissionTable[] {
    expectAtMost(1, args);
    const asked = oneOf('form', forms, args.positionals[0]);
    return tables.filter(({ form }) => asked === undefined || form === asked);
  }

  function read({ db }: CommandContext, args: CommandArguments): Submission[] {
    const since = args.options.get('since');
    const from = since === undefined ? 0 : startOfDay(since);
    const lists = tablesOf(args).map((table) => readTable(db, table, from));
    return lists.flat().sort((a, b) => a.createdAt - b.createdAt);
  }

  const list: Command = {
    name: 'submissions list',
    usage: `${filter} [--limit <number>]`,
    summary: `Lists submissions, newest first. Forms: ${forms.join(', ')}.`,
    options: { since: 'text', limit: 'text' },
    async run(context, args) {
      const limit = limitOf(args);
      const all = read(context, args);
      if (all.length === 0) return 'There are no submissions.\n';
      const shown = all.toReversed().slice(0, limit);
      const table = formatTable(
        ['SENT (UTC)', 'FORM', 'NAME', 'EMAIL'],
        shown.map(({ form, createdAt, values }) => ({
          cells: [formatTime(createdAt), form, values['name'] ?? '', values['email'] ?? ''],
          note: noteOf(values),
        })),
      );
      return table + formatRest(shown.length, all.length);
    },
  };

  const exportAll: Command = {
    name: 'submissions export',
    usage: `${filter} [--format csv|json]`,
    summary: 'Exports submissions, oldest first, as CSV or JSON.',
    options: { since: 'text', format: 'text' },
    async run(context, args) {
      const [only, ...others] = tablesOf(args);
      const format = oneOf('format', formats, args.options.get('format')) ?? 'csv';
      const names = only && others.length === 0 ? columnsOf(only) : allColumns;
      const rows = read(context, args).map(({ form, values }) =>
        Object.fromEntries(names.map((name) => [name, name === 'form' ? form : values[name]])),
      );
      return format === 'csv' ? formatCsv(names, rows) : `${JSON.stringify(rows, null, 2)}\n`;
    },
  };

  return [list, exportAll];
}

const columnsOf = ({ columns }: SubmissionTable): string[] => columns.map(({ name }) => name);

function noteOf(values: Submission['values']): string {
  const text = values['message'] ?? values['state'] ?? '';
  return values['spam_signals'] ? `[quarantine] ${text}` : text;
}

/** Except tabs and line breaks. */
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
