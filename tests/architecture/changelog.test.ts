import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './sources.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const changelog = read('docs/CHANGELOG.md');
const releases = [...changelog.matchAll(/^## (.*)$/gm)].map(([, title = '']) => title);

test('the changelog uses the headings of Keep a Changelog', () => {
  const [unreleased, ...others] = releases;
  expect(unreleased).toBe('[Unreleased]');
  expect(others.filter((title) => !/^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/.test(title))).toEqual(
    [],
  );
  const kinds = [...changelog.matchAll(/^### (.*)$/gm)].map(([, kind]) => kind);
  const known = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
  expect(kinds.filter((kind) => !known.includes(kind ?? ''))).toEqual([]);
});

test('each change is below one of these headings, and no heading is empty', () => {
  const [introduction, ...sections] = changelog.split(/^## /m);
  expect(introduction, 'changes belong below ## [Unreleased] and ### Added').not.toMatch(/^- /m);
  for (const release of sections) {
    const [title = '', ...parts] = release.split(/^### .*$/m);
    expect(title).toMatch(/^\[.*\n\s*$/);
    for (const part of parts) expect(part).toMatch(/^(?:\s*- .*\n)+\s*$/);
  }
});

test('releases are sorted, and the newest one has the version of package.json', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const versions = releases.slice(1).map((title) => title.slice(1, title.indexOf(']')));
  expect(versions[0]).toBe(version);
  const byNumber = (one: string, other: string) =>
    other.localeCompare(one, 'en', { numeric: true });
  expect(versions).toEqual(versions.toSorted(byNumber));
});
