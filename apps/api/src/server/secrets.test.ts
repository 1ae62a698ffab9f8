import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeTestApp } from '../testing/test-app.ts';
import { serverSecret } from './secrets.ts';

test('creates a secret per name once and persists it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'secrets-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const secretsOf = async () => {
    await using testApp = await makeTestApp({ dataDir });
    const { db } = testApp.deps;
    return ['a', 'a', 'b'].map((name) => serverSecret(db, name));
  };

  const [first = '', again, other] = await secretsOf();
  expect(first).toMatch(/^[\w-]{43}$/);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
  expect(await secretsOf()).toEqual([first, first, other]);
});
