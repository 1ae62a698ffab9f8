import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { makeDataDir } from '../testing/blog.ts';
import { loadRenderer } from './page-writer.ts';

const program = `
  export const readSamplePosts = async () => [];
  export async function renderPage(path, { origin, page }) {
    if (path === '/broken') throw new Error('a bug');
    if (path === '/deadly') process.kill(process.pid, 'SIGKILL');
    const text = origin + path + ' of ' + page.to + ' in ' + process.pid;
    return { bytes: new TextEncoder().encode(text), card: null };
  }
`;

function writeBuild(folder: string, id: string): void {
  mkdirSync(join(folder, 'server'), { recursive: true });
  writeFileSync(join(folder, 'server', 'entry.mjs'), program);
  const build = { id, renderer: 'server/entry.mjs', cardModule: 'cards.mjs' };
  writeFileSync(join(folder, 'build.json'), JSON.stringify(build));
}

async function makeWriter() {
  const folder = makeDataDir();
  writeBuild(folder, 'build-1');
  const options = { folder, publicUrl: 'https://fieldlight.example', contentVersion: 1 };
  const renderer = await loadRenderer(options, createLog('silent'));
  const pageAt = (path: string, file = `pages${path}.html`) => ({
    path,
    data: { kind: 'moved' as const, to: 'elsewhere' },
    file: join(folder, file),
  });
  return { ...renderer, folder, pageAt };
}

test('renders pages in another process', async () => {
  const { writePages, pageAt } = await makeWriter();
  const page = pageAt('/fine');
  const [written] = await writePages([page]);
  const text = readFileSync(page.file, 'utf8');
  expect(text).toMatch(/^https:\/\/fieldlight\.example\/fine of elsewhere in \d+$/);
  expect(text).not.toMatch(new RegExp(`in ${process.pid}$`));
  expect(written).toMatchObject({ card: null, checksum: { size: text.length } });
});

test('renders the other pages when one cannot be rendered', async () => {
  const { writePages, pageAt } = await makeWriter();
  const written = await writePages([pageAt('/broken'), pageAt('/fine')]);
  expect(written).toMatchObject([
    { error: expect.objectContaining({ message: 'a bug' }) },
    { checksum: expect.anything() },
  ]);
});

test('preserves the code of a disk error', async () => {
  const { folder, writePages, pageAt } = await makeWriter();
  writeFileSync(join(folder, 'file'), '');
  await expect(writePages([pageAt('/fine', 'file/page.html')])).rejects.toMatchObject({
    code: 'ENOTDIR',
  });
});

test('fails only the current pages when the process dies', async () => {
  const { writePages, pageAt } = await makeWriter();
  await expect(writePages([pageAt('/deadly')])).rejects.toThrow();
  expect(await writePages([pageAt('/fine')])).toMatchObject([{ card: null }]);
});

test('ends the process, and starts another one when there are more pages', async () => {
  const { writePages, endWriting, pageAt } = await makeWriter();
  const page = pageAt('/fine');
  const pidAfterWriting = async () => {
    await writePages([page]);
    return Number(readFileSync(page.file, 'utf8').split(' ').at(-1));
  };
  const pid = await pidAfterWriting();
  expect(await pidAfterWriting()).toBe(pid);
  await endWriting();
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  expect(await pidAfterWriting()).not.toBe(pid);
});

test('rejects pages after the site was built again', async () => {
  const { folder, writePages, pageAt } = await makeWriter();
  writeBuild(folder, 'build-2');
  await expect(writePages([pageAt('/fine')])).rejects.toThrow('built again');
});
