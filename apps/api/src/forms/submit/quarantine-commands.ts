import { type Command, CommandError, expectAtMost, UsageError } from '../../cli/command.ts';
import { formatTable, formatTime, goOut, shortId } from '../../cli/table.ts';
import type { Form, FormDeps, Sent } from './form.ts';
import { listQuarantined, releaseSubmission } from './quarantine.ts';

/** @param forms all whose spam waits in quarantine */
export function quarantineCommands(
  forms: readonly ((deps: FormDeps) => Form<Sent>)[],
): readonly Command[] {
  const formsOf = (desk: FormDeps) => forms.map((create) => create(desk));

  const list: Command = {
    name: 'quarantine list',
    usage: '',
    does: 'Lists suspected spam, oldest first.',
    options: {},
    async run(desk, given) {
      expectAtMost(0, given);
      const waiting = listQuarantined(formsOf(desk));
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
    does: 'Delivers a quarantined message, with all its emails.',
    options: {},
    async run(desk, given) {
      expectAtMost(1, given);
      const [end] = given.words;
      if (end === undefined) throw new UsageError('Specify an id from `quarantine list`.');
      const waiting = listQuarantined(formsOf(desk));
      const [found, another] = waiting.filter(({ id }) => id.endsWith(end));
      if (another) {
        throw new CommandError(`Several have an id that ends with ${end}: give more of it.`);
      }
      switch (await releaseSubmission(desk, formsOf(desk), found?.id ?? end)) {
        case 'released':
          return `It is delivered; its mails ${goOut}.\n`;
        case 'already_delivered':
          throw new CommandError(`${end} was delivered already.`);
        case 'not_found':
          throw new CommandError(`Nothing in quarantine has an id that ends with ${end}.`);
      }
    },
  };

  return [list, release];
}
