import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { close, open } from '@app/db/open';
import { SiteProcess, temporaryFolder } from '../../support/site-process.ts';
import { type Fault, isProgressDue } from '../fault.ts';
import { keepAsking } from '../keep-alive-clients.ts';

const clients = 12;
/** In milliseconds. */
const maxLoad = 1_000;

export const stop: Fault = {
  name: 'stop',
  about: 'SIGTERM at random moments under load',
  unit: 'count',
  amount: 100,
  min: 1,
  async run(stops, findings) {
    using folder = temporaryFolder();
    for (const count of ['stops', 'responses', 'broken responses', 'messages lost']) {
      findings.count(count, 0);
    }
    for (let n = 1; n <= stops; n += 1) {
      await using site = await SiteProcess.start({ dataDir: folder.path });
      const asking = Array.from({ length: clients }, () => keepAsking(site.port));
      await pause(randomInt(maxLoad));
      const { code, stderr } = await site.stop();
      if (code !== 0 || stderr !== '') findings.breaks(`the server ended with ${code}: ${stderr}`);
      findings.count('stops');
      const messages: string[] = [];
      for (const asked of await Promise.all(asking)) {
        findings.count('responses', asked.responses);
        findings.count('broken responses', asked.broken.length);
        messages.push(...asked.messages);
        for (const text of asked.broken) findings.breaks(`broken response: ${text}`);
      }
      const lost = missingMessages(folder.path, messages);
      findings.count('messages lost', lost);
      if (lost > 0) findings.breaks(`${lost} acknowledged messages are not stored`);
      if (isProgressDue(n, stops)) findings.progress(`${n} of ${stops} stops`);
    }
  },
};

function missingMessages(dataDir: string, names: readonly string[]): number {
  const db = open(join(dataDir, 'site.db'));
  const stored = db.$client
    .prepare<[], string>('SELECT name FROM contact_submissions')
    .pluck()
    .all();
  close(db);
  return new Set(names).difference(new Set(stored)).size;
}
