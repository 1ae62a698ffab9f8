import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { parseEnv } from '@app/api/src/env.ts';
import { maxReceivedBytes } from '@app/api/src/server/body.ts';
import { tooLargeLength } from '@app/api/src/site-export/hosts/host.ts';
import { serverArguments } from '@app/tasks/server';
import { describe, expect, test } from 'vitest';

const folder = new URL('../../docs/deploy/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
const systemdAnalyze = '/usr/bin/systemd-analyze';

/** The settings of a unit's [Service] section, in order. */
const serviceOf = (name: string): [name: string, value: string][] =>
  (read(name).split('[Service]')[1]?.split('\n[')[0] ?? '')
    .split('\n')
    .flatMap((line) => [...line.matchAll(/^([A-Z]\w+)=(.*)$/g)])
    .map(([, setting = '', value = '']) => [setting, value]);

const settingOf = (name: string, setting: string): string | undefined =>
  serviceOf(name).find(([own]) => own === setting)?.[1];

const hardening = (name: string) =>
  serviceOf(name).filter(([setting]) =>
    /^(?:Protect|Private|Restrict|System|Capability|Ambient|NoNew|Lock|Keyring|UMask)/.test(
      setting,
    ),
  );

test.each(['site-backup.service', 'site-litestream.service'])(
  '%s is hardened like site.service',
  (name) => {
    expect(hardening('site.service').length).toBeGreaterThan(20);
    expect(hardening(name).map(String).toSorted()).toEqual(
      hardening('site.service').map(String).toSorted(),
    );
  },
);

test('the Containerfile starts the server as npm start does', () => {
  const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(read('Containerfile')) ?? [];
  expect(JSON.parse(command)).toEqual(['node', ...serverArguments]);
});

describe('site.service', () => {
  test('runs the server as npm start does', () => {
    expect(settingOf('site.service', 'ExecStart')).toBe(
      ['/opt/site/current/node_modules/node/bin/node', ...serverArguments].join(' '),
    );
  });

  test('gives the server more than the 10 s that stopping can take, and signals only its main process', () => {
    expect(Number(settingOf('site.service', 'TimeoutStopSec'))).toBeGreaterThan(10);
    expect(settingOf('site.service', 'KillMode')).toBe('mixed');
  });
});

test('site.socket listens on the port that Caddy uses before the service starts', () => {
  const [, port] = /^ListenStream=(.+)$/m.exec(read('site.socket')) ?? [];
  expect(read('Caddyfile')).toContain(`{$SITE_UPSTREAM:${port}}`);
  expect(read('site.service')).toMatch(/^Requires=site\.socket$/m);
  expect(read('site.service')).toMatch(/^After=.*site\.socket$/m);
});

test('proxies refuse bodies that the server does not read to the end', () => {
  const refused = new RegExp(tooLargeLength);
  expect([15_999_999, 16_000_000, maxReceivedBytes + 1].map((n) => refused.test(`${n}`))).toEqual([
    false,
    true,
    true,
  ]);
  expect(['100000000', '99000000', '9000000', '0'].map((n) => refused.test(n))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(read('Caddyfile')).toContain(`header_regexp Content-Length ${tooLargeLength}\n`);
});

test
  .runIf(existsSync(systemdAnalyze))
  .each(['site.service', 'site-backup.service', 'site-litestream.service'])(
  '%s has a low exposure level',
  async (name) => {
    const { stdout } = await promisify(execFile)(systemdAnalyze, [
      'security',
      '--offline=true',
      '--no-pager',
      '--threshold=15',
      new URL(name, folder).pathname,
    ]);
    expect(stdout).toContain(`Overall exposure level for ${name}: 1.`);
  },
);

test('site.env is valid and trusts the proxy of the Caddyfile', () => {
  const lines = read('site.env')
    .replaceAll(/^#(?=[A-Z])/gm, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('SMTP_URL'))
    .map((line) => line.split('='))
    .map(([name = '', ...value]): [string, string] => [name, value.join('=').replaceAll('"', '')])
    .map(([name, value]): [string, string] => [name, value.replace('…', 'A'.repeat(32))]);

  const result = parseEnv(Object.fromEntries(lines));

  expect(result).toMatchObject({
    env: {
      dataDir: settingOf('site.service', 'ReadWritePaths'),
      trustProxy: ['127.0.0.1'],
      authoring: 'team',
      email: { transport: 'resend' },
    },
  });
});
