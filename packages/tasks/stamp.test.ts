import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fingerprint, isStamped, stamped } from './stamp.mjs';

let top: string;

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'stamp-'));
  mkdirSync(join(top, 'src/pages'), { recursive: true });
  mkdirSync(join(top, 'src/dist'));
  writeFileSync(join(top, 'lock.yaml'), 'lock');
  writeFileSync(join(top, 'src/pages/index.astro'), '<p>Hello</p>');
  writeFileSync(join(top, 'src/dist/index.html'), '<p>Hello</p>');
});

afterEach(() => rmSync(top, { recursive: true }));

const now = (extra = '') => fingerprint(top, ['src', 'lock.yaml'], { skip: ['dist'], extra });

describe('a fingerprint', () => {
  it.each([
    ['a content', () => writeFileSync(join(top, 'lock.yaml'), 'kcol')],
    ['a new file', () => writeFileSync(join(top, 'src/new.ts'), '')],
    ['a lost file', () => rmSync(join(top, 'lock.yaml'))],
    [
      'a name',
      () => renameSync(join(top, 'src/pages/index.astro'), join(top, 'src/pages/a.astro')),
    ],
    ['a place', () => renameSync(join(top, 'src/pages/index.astro'), join(top, 'src/index.astro'))],
    ['a file cut in two', cutInTwo],
  ])('changes with %s', (_what, change) => {
    const before = now();
    change();
    expect(now()).not.toBe(before);
  });

  function cutInTwo() {
    writeFileSync(join(top, 'src/pages/index.astro'), '<p>');
    writeFileSync(join(top, 'src/pages/index.astrp'), 'Hello</p>');
  }

  it('changes with what else is given', () => {
    expect(now('linux x64')).not.toBe(now('linux arm64'));
  });

  it.each([
    ['times', () => utimesSync(join(top, 'lock.yaml'), 0, 0)],
    ['what is passed over', () => writeFileSync(join(top, 'src/dist/index.html'), 'new')],
    ['nothing', () => top],
  ])('stays with %s', (_what, change) => {
    const before = now();
    change();
    expect(now()).toBe(before);
  });
});

describe('stamped work', () => {
  it('leaves the stamp when it is done', async () => {
    const file = join(top, 'made/here/.stamp');
    await stamped(
      file,
      () => 'a',
      async () => undefined,
    );
    expect(isStamped(file, 'a')).toBe(true);
    expect(isStamped(file, 'b')).toBe(false);
  });

  it('has no stamp while it goes on, nor after it failed', async () => {
    const file = join(top, '.stamp');
    writeFileSync(file, 'a');
    const work = stamped(
      file,
      () => 'a',
      async () => {
        expect(isStamped(file, 'a')).toBe(false);
        throw new Error('no');
      },
    );
    await expect(work).rejects.toThrow('no');
    expect(isStamped(file, 'a')).toBe(false);
  });
});
