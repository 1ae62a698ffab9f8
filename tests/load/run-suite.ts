// Measures one suite and sends its rows to the process that forked this one. Arguments: the
// suite's name, a folder.
import type { Row } from './row.ts';
import { peerSuites, suites } from './suites.ts';

const [, , name, folder = ''] = process.argv;
const suite = [...suites, ...peerSuites].find((each) => each.name === name);
if (!suite || !process.send) throw new Error('run-suite.ts must be forked by suite-process.ts');

const send = (row: Row) =>
  new Promise<void>((resolve, reject) => {
    process.send?.(row, (error: Error | null) => (error ? reject(error) : resolve()));
  });
for await (const row of await suite.measure(folder)) await send(row);
process.exit();
