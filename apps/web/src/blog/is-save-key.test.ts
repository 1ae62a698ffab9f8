import { expect, test } from 'vitest';
import { isSaveKey } from './is-save-key.ts';

const held = { ctrlKey: true, metaKey: false, altKey: false, shiftKey: false };

test.each([
  ['Ctrl+S', { ...held, key: 's', code: 'KeyS' }, true],
  ['Command+S', { ...held, ctrlKey: false, metaKey: true, key: 's', code: 'KeyS' }, true],
  ['with Caps Lock', { ...held, key: 'S', code: 'KeyS' }, true],
  ['in a Cyrillic layout', { ...held, key: 'ы', code: 'KeyS' }, true],
  ['in the Dvorak layout', { ...held, key: 's', code: 'Semicolon' }, true],
  ['not Ctrl+O in the Dvorak layout', { ...held, key: 'o', code: 'KeyS' }, false],
  ['not Ctrl+Shift+S', { ...held, shiftKey: true, key: 'S', code: 'KeyS' }, false],
  ['not Ctrl+Alt+S', { ...held, altKey: true, key: 's', code: 'KeyS' }, false],
  ['not S', { ...held, ctrlKey: false, key: 's', code: 'KeyS' }, false],
])('saves by key: %s', (_what, event, isSaving) => {
  expect(isSaveKey(event)).toBe(isSaving);
});
