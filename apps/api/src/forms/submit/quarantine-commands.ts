import * as v from 'valibot';
import { type AnyCommand, defineCommand } from '../../cli/command.ts';
import { CommandError } from '../../cli/errors.ts';
import { time } from '../../cli/schemas.ts';
import { formatTable, formatTime, shortId, whenSent } from '../../cli/table.ts';
import { idEnd } from '../../cli/values.ts';
import { toIso } from '../../clock.ts';
import type { Form, FormValues } from './form.ts';
import { listQuarantined, releaseSubmission } from './quarantine.ts';

const submission = v.strictObject({
  id: v.string(),
  form: v.string(),
  createdAt: time,
  name: v.string(),
  email: v.string(),
  message: v.string(),
  reasons: v.array(v.string()),
});

export function quarantineCommands(forms: readonly Form<FormValues>[]): readonly AnyCommand[] {
  const list = defineCommand({
    name: 'quarantine list',
    summary: 'Lists suspected spam, oldest first.',
    uses: 'database',
    arguments: {},
    options: {},
    examples: ['quarantine list'],
    result: v.strictObject({ submissions: v.array(submission) }),
    async run({ db }) {
      const waiting = listQuarantined(db, forms);
      return {
        submissions: waiting.map((each) => ({ ...each, createdAt: toIso(each.createdAt) })),
      };
    },
    format({ submissions }) {
      if (submissions.length === 0) return 'The quarantine is empty.\n';
      return formatTable(
        ['ID', 'SENT (UTC)', 'FORM', 'NAME', 'EMAIL'],
        submissions.map(({ id, createdAt, form, name, email, reasons, message }) => ({
          cells: [shortId(id), formatTime(createdAt), form, name, email],
          note: `[${reasons.join('; ')}] ${message}`,
        })),
      );
    },
  });

  const release = defineCommand({
    name: 'quarantine release',
    summary: 'Delivers a quarantined message, with all its emails.',
    uses: 'database',
    arguments: { id: idEnd('quarantine list') },
    options: {},
    examples: ['quarantine release 0000aaaa'],
    result: v.strictObject({ id: v.string() }),
    async run(context, given) {
      const { id: end } = given.arguments;
      const waiting = listQuarantined(context.db, forms);
      const [found, another] = waiting.filter(({ id }) => id.endsWith(end));
      if (another) {
        throw new CommandError(
          'ambiguous',
          `Several submissions have an id that ends with ${end}: specify more of it.`,
        );
      }
      const id = found?.id ?? end;
      switch (await releaseSubmission(context, forms, id)) {
        case 'released':
          return { id };
        case 'already_delivered':
          throw new CommandError('conflict', `Submission ${end} has already been delivered.`);
        case 'not_found':
          throw new CommandError(
            'not_found',
            `No quarantined submission has an id that ends with ${end}.`,
          );
      }
    },
    format: () => `The submission is delivered. Its emails will ${whenSent}.\n`,
  });

  return [list, release];
}
