import { expect, test } from 'vitest';
import packageJson from '../../../../package.json' with { type: 'json' };
import { siteForEachTest } from '../testing/cli.ts';

const site = siteForEachTest();
const { version } = packageJson;
const node = process.versions.node;

test.each(['version', '--version'])('prints the version for %s, without DATA_DIR', async (line) => {
  expect(await site.run(line, { DATA_DIR: '/nowhere', PORT: 'abc' })).toEqual({
    exitCode: 0,
    out: `${version} (Node ${node})\n`,
    err: '',
  });
});

test('prints the version as JSON', async () => {
  expect(await site.json('--version')).toEqual({ version, node });
});
