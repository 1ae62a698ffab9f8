import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { licenses, licensesText, packageFolderOf, readPackage } from './licenses.mjs';

const makePackage = (manifest: object, files: Record<string, string> = {}): string => {
  const top = mkdtempSync(join(tmpdir(), 'licenses-'));
  onTestFinished(() => rmSync(top, { recursive: true }));
  const folder = join(top, 'node_modules', 'example');
  mkdirSync(folder, { recursive: true });
  const named = { name: 'example', version: '1.2.3', ...manifest };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(named));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
};

/** What a build writes for these modules. */
const written = (modules: string[], also: string[] = []): string => {
  const sources: string[] = [];
  const emitFile = ({ source }: { source: string }) => void sources.push(source);
  licenses({ also }).generateBundle.call({ emitFile }, null, {
    'main.js': { type: 'chunk', moduleIds: modules },
    'a.css': { type: 'asset' },
  });
  return sources.join();
};

test('writes the license of each package in a bundle once', () => {
  const folder = makePackage({ license: 'MIT' }, { LICENSE: 'Permission is granted …\n' });
  const modules = ['index.js', 'lib/other.js'].map((file) => join(folder, file));
  expect(written([...modules, '/site/src/own.ts', '\0virtual:own'])).toBe(
    'This site contains the following software.\n\nexample 1.2.3 (MIT)\n\nPermission is granted …\n',
  );
});

test('writes the licenses of files that no module imports', () => {
  const folder = makePackage({ license: 'OFL-1.1' }, { 'LICENSE.txt': 'Open Font License' });
  expect(written([], [folder])).toContain('example 1.2.3 (OFL-1.1)\n\nOpen Font License\n');
});

test.each([
  ['none', {}],
  ['GPL-3.0-only', { license: 'GPL-3.0-only' }],
  ['MIT AND GPL-3.0-only', { license: 'MIT AND GPL-3.0-only' }],
  ['SEE LICENSE IN TERMS.md', { license: 'SEE LICENSE IN TERMS.md' }],
])('fails a build that contains a package with the license %s', (license, manifest) => {
  const folder = makePackage(manifest);
  expect(() => written([join(folder, 'index.js')])).toThrow(
    `The licenses of these packages are not accepted in packages/tasks/licenses.mjs: example 1.2.3 (${license}).`,
  );
});

test.each(['(MIT OR GPL-3.0-only)', 'CC0-1.0 OR Apache-2.0'])('accepts %s', (license) => {
  const text = licensesText([readPackage(makePackage({ license }))]);
  expect(text).toContain(`example 1.2.3 (${license})\n\nIts package has no license file.`);
});

test.each([
  [
    '/a/node_modules/.pnpm/x@1.0.0/node_modules/x/lib/y.js',
    '/a/node_modules/.pnpm/x@1.0.0/node_modules/x',
  ],
  ['/a/node_modules/@scope/x/y.js?raw', '/a/node_modules/@scope/x'],
  ['\0/a/node_modules/x/y.js?commonjs', '/a/node_modules/x'],
  ['C:\\a\\node_modules\\x\\y.js', 'C:/a/node_modules/x'],
  ['/a/src/y.ts', null],
  ['virtual:page:../node_modules/x/y.js', null],
])('finds the package of %s', (id, folder) => {
  expect(packageFolderOf(id)).toBe(folder);
});
