import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exclusively } from './lock.mjs';

let file: string;

beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'lock-')), 'cache/tasks.lock');
});

afterEach(() => rmSync(join(file, '../..'), { recursive: true }));

const silent = () => undefined;

describe('work under a lock', () => {
  it('is done one after the other', async () => {
    const order: string[] = [];
    const told: string[] = [];
    const work = (name: string) => async () => {
      order.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      order.push(`${name} ends`);
    };
    const tell = (message: string) => told.push(message);
    await Promise.all([exclusively(file, work('one'), tell), exclusively(file, work('two'), tell)]);
    expect(order).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
    expect(told).toHaveLength(1);
  });

  it('gives its result and the lock back', async () => {
    await expect(exclusively(file, async () => 'done', silent)).resolves.toBe('done');
    expect(existsSync(file)).toBe(false);
  });

  it('gives the lock back when it fails', async () => {
    const failing = exclusively(file, () => Promise.reject(new Error('no')), silent);
    await expect(failing).rejects.toThrow('no');
    expect(existsSync(file)).toBe(false);
  });

  it('takes the lock of a process that is gone', async () => {
    await exclusively(file, async () => undefined, silent);
    // Above what Linux, macOS and Windows give out.
    writeFileSync(file, String(2 ** 30));
    await expect(exclusively(file, async () => 'done', silent)).resolves.toBe('done');
  });

  it('takes a lock whose process id now is another program', async () => {
    await exclusively(file, async () => undefined, silent);
    writeFileSync(file, String(process.pid));
    utimesSync(file, new Date(0), new Date(0));
    await expect(exclusively(file, async () => 'done', silent)).resolves.toBe('done');
  });
});
