// Run by observatory.process.test.ts with NODE_EXTRA_CA_CERTS. Arguments: the folder of
// @mdn/mdn-http-observatory, the host, its ports for http and https. Writes the result of each of
// the Observatory's tests as JSON.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder = '', host = '', httpPort, httpsPort] = process.argv.slice(2);
const load = (path: string) => import(pathToFileURL(join(folder, 'src', path)).href);
const { ALL_TESTS } = await load('constants.js');
const { retrieve } = await load('retriever/retriever.js');
const { getScoreModifier } = await load('grader/grader.js');

interface Output {
  constructor: { name: string };
  result: string;
  pass: boolean;
}

// Like its `scan`, which does not accept ports.
const found = await retrieve(host, { httpPort, httpsPort });
const outputs: Output[] = ALL_TESTS.map((test: (requests: unknown) => Output) => test(found));
const rows = outputs.map(({ constructor: { name }, result, pass }) => {
  return { name, result, pass, modifier: getScoreModifier(result) };
});
process.stdout.write(JSON.stringify(rows));
