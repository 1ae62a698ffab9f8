import { type Command, CommandError, expectAtMost, UsageError } from '../../cli/command.ts';
import { formatTable, formatTime, shortId, whenSent } from '../../cli/table.ts';
import type { Form, FormValues } from './form.ts';
import { listQuarantined, releaseSubmission } from './quarantine.ts';

export function quarantineCommands(forms: readonly Form<FormValues>[]): readonly Command[] {
  const list: Command = {
    name: 'quarantine list',
    usage: '',
    summary: 'Lists suspected spam, oldest first.',
    options: {},
    async run({ db }, args) {
      expectAtMost(0, args);
      const waiting = listQuarantined(db, forms);
      if (waiting.length === 0) return 'The quarantine is empty.\n';
      return formatTable(
        ['ID', 'SENT (UTC)', 'FORM', 'NAME', 'EMAIL'],
        waiting.map(({ id, createdAt, form, name, email, reasons, message }) => ({
          cells: [shortId(id), formatTime(createdAt), form, name, email],
          note: `[${reasons.join('; ')}] ${message}`,
        })),
      );
    },
  };

  const release: Command = {
    name: 'quarantine release',
    usage: '<id>',
    summary: 'Delivers a quarantined message, with all its emails.',
    options: {},
    async run(context, args) {
      expectAtMost(1, args);
      const [end] = args.positionals;
      if (end === undefined) throw new UsageError('Specify an id from `quarantine list`.');
      const waiting = listQuarantined(context.db, forms);
      const [found, another] = waiting.filter(({ id }) => id.endsWith(end));
      if (another) {
        throw new CommandError(
          `Several submissions have an id that ends with ${end}: specify more of it.`,
        );
      }
      switch (await releaseSubmission(context, forms, found?.id ?? end)) {
        case 'released':
          return `The submission is delivered. Its emails will ${whenSent}.\n`;
        case 'already_delivered':
          throw new CommandError(`Submission ${end} has already been delivered.`);
        case 'not_found':
          throw new CommandError(`No quarantined submission has an id that ends with ${end}.`);
      }
    },
  };

  return [list, release];
}
