import { careerInquiries } from '@app/db/schema/forms/careers';
import { contactSubmissions } from '@app/db/schema/forms/contact';
import { newsletterSubscriptions } from '@app/db/schema/forms/newsletter';
import { stringify } from 'csv-stringify/sync';
import { asc, gte } from 'drizzle-orm';
import {
  type Command,
  type Desk,
  expectAtMost,
  type Given,
  limitOf,
  oneOf,
  UsageError,
} from './command.ts';
import { formatRest, formatTable, formatTime } from './table.ts';

const forms = ['contact', 'careers', 'newsletter'] as const;
type Form = (typeof forms)[number];

/** The columns of an export: those of the form's table that mean something outside of it. */
const columns: Readonly<Record<Form, readonly string[]>> = {
  contact: [
    'id',
    'created_at',
    'name',
    'email',
    'phone',
    'company',
    'service',
    'message',
    'quarantined_for',
  ],
  careers: ['id', 'created_at', 'name', 'email', 'resume_link', 'message', 'quarantined_for'],
  newsletter: ['id', 'created_at', 'email', 'state', 'confirmed_at', 'unsubscribed_at'],
};
const allColumns = ['form', ...new Set(forms.flatMap((form) => columns[form]))];

interface Submission {
  form: Form;
  createdAt: number;
  /** By the names of the columns. */
  values: Readonly<Record<string, string | null>>;
}

const time = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : new Date(milliseconds).toISOString();
const reasons = (quarantinedFor: readonly string[] | null): string | null =>
  quarantinedFor?.join('; ') ?? null;

/** What each form took since then, oldest first. */
const readers: Readonly<Record<Form, (desk: Desk, since: number) => Promise<Submission[]>>> = {
  async contact({ db }, since) {
    const rows = await db
      .select()
      .from(contactSubmissions)
      .where(gte(contactSubmissions.createdAt, since))
      .orderBy(asc(contactSubmissions.createdAt));
    return rows.map(({ createdAt, quarantinedFor, ...values }) => ({
      form: 'contact',
      createdAt,
      values: { ...values, created_at: time(createdAt), quarantined_for: reasons(quarantinedFor) },
    }));
  },
  async careers({ db }, since) {
    const rows = await db
      .select()
      .from(careerInquiries)
      .where(gte(careerInquiries.createdAt, since))
      .orderBy(asc(careerInquiries.createdAt));
    return rows.map(({ createdAt, quarantinedFor, resumeLink, ...values }) => ({
      form: 'careers',
      createdAt,
      values: {
        ...values,
        created_at: time(createdAt),
        resume_link: resumeLink,
        quarantined_for: reasons(quarantinedFor),
      },
    }));
  },
  async newsletter({ db }, since) {
    const rows = await db
      .select()
      .from(newsletterSubscriptions)
      .where(gte(newsletterSubscriptions.createdAt, since))
      .orderBy(asc(newsletterSubscriptions.createdAt));
    return rows.map(({ id, email, state, createdAt, confirmedAt, unsubscribedAt }) => ({
      form: 'newsletter',
      createdAt,
      values: {
        id,
        email,
        state,
        created_at: time(createdAt),
        confirmed_at: time(confirmedAt),
        unsubscribed_at: time(unsubscribedAt),
      },
    }));
  },
};

function askedFor(given: Given): { form: Form | undefined; since: number } {
  expectAtMost(1, given);
  const since = given.options.get('since');
  return {
    form: oneOf('form', forms, given.words[0]),
    since: since === undefined ? 0 : startOfDay(since),
  };
}

/** Midnight in UTC. */
function startOfDay(day: string): number {
  const at = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN;
  // 2026-02-31 would be taken for a day in March.
  if (!Number.isNaN(at) && new Date(at).toISOString().startsWith(day)) return at;
  throw new UsageError(`--since ${day}: it takes a day such as 2026-03-01.`);
}

async function read(desk: Desk, given: Given): Promise<Submission[]> {
  const { form, since } = askedFor(given);
  const names = form ? [form] : forms;
  const lists = await Promise.all(names.map((name) => readers[name](desk, since)));
  return lists.flat().sort((a, b) => a.createdAt - b.createdAt);
}

const filter = '[<form>] [--since <day>]';

const list: Command = {
  name: 'submissions list',
  usage: `${filter} [--limit <number>]`,
  does: 'Lists submissions, newest first. Forms: contact, careers, newsletter.',
  options: { since: 'text', limit: 'text' },
  async run(desk, given) {
    const limit = limitOf(given);
    const all = await read(desk, given);
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

/** The message, or the state of a subscription. */
function noteOf(values: Submission['values']): string {
  const text = values['message'] ?? values['state'] ?? '';
  return values['quarantined_for'] ? `[quarantine] ${text}` : text;
}

const formats = ['csv', 'json'] as const;

const exportAll: Command = {
  name: 'submissions export',
  usage: `${filter} [--format csv|json]`,
  does: 'Exports submissions, oldest first, as CSV or JSON.',
  options: { since: 'text', format: 'text' },
  async run(desk, given) {
    const { form } = askedFor(given);
    const format = oneOf('format', formats, given.options.get('format')) ?? 'csv';
    const names = form ? columns[form] : allColumns;
    const rows = (await read(desk, given)).map(({ form, values }) =>
      Object.fromEntries(names.map((name) => [name, name === 'form' ? form : values[name]])),
    );
    return format === 'csv' ? formatCsv(names, rows) : `${JSON.stringify(rows, null, 2)}\n`;
  },
};

/** What no spreadsheet shows and a terminal would obey; tabs and line breaks stay. */
const controls = /[^\P{Cc}\t\n\r]/gu;

/**
 * RFC 4180, in UTF-8 with the mark by which Excel knows it. What a spreadsheet would take for a
 * formula gets a ' in front (OWASP, CSV injection): an international phone number, too.
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

export const submissionCommands: readonly Command[] = [list, exportAll];
