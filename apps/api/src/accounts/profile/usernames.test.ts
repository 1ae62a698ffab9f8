import { expect, test } from 'vitest';
import { isOfOneScript, isReserved, usernameKey } from './usernames.ts';

test.each([
  ['case', ['Ann', 'ANN', 'aNN']],
  ['width and style', ['ann', 'ａｎｎ', '𝒶𝓃𝓃', 'ⓐⓝⓝ']],
  ['composition', ['josé', 'jose\u0301', 'JOSÉ']],
  ['Cyrillic for Latin', ['paypal', 'раураl', 'РАУРАL']],
  ['capitals that look alike', ['HET', 'НЕТ', 'ΗΕΤ']],
  ['capital I, small l and one', ['Iris', 'lris', '1ris', 'ıris', 'İris']],
  ['zero', ['Otto', '0tto', 'οttο']],
  ['two letters for one', ['modern', 'rnodern', 'MODERN']],
  ['one letter for two', ['straße', 'STRASSE', 'strasse']],
  ['the final sigma', ['οδος', 'ΟΔΟΣ', 'οδοσ']],
])('%s does not make another name', (_, names) => {
  expect(new Set(names.map(usernameKey)).size).toBe(1);
});

test.each([
  ['ann', 'anna'],
  ['jose', 'josé'],
  ['ann.b', 'ann-b'],
  ['zoe', 'zoë'],
  ['иван', 'ivan'],
  ['张三', '李四'],
  ['hans', 'hanz'],
])('%s and %s are two names', (one, other) => {
  expect(usernameKey(one)).not.toBe(usernameKey(other));
});

test('a key is its own key, whatever letter it is made of', () => {
  const unsettled: string[] = [];
  for (let code = 0x20; code < 0x1_0000; code += 1) {
    const letter = String.fromCodePoint(code);
    if (!/[\p{L}\p{M}\p{N}]/u.test(letter)) continue;
    const key = usernameKey(letter);
    if (usernameKey(key) !== key) unsettled.push(letter);
  }
  expect(unsettled).toEqual([]);
});

test.each([
  ...['admin', 'Admin', 'аdmin', 'adm1n', 'ad-min', 'a.d.m.i.n', 'ａｄｍｉｎ', '𝖆𝖉𝖒𝖎𝖓', 'adrnin'],
  ...[
    'betty',
    'Bеtty',
    'ТЕАМ',
    'r00t',
    'system',
    'user1',
    'support',
    'fieldlight',
    'FieIdlight_AI',
  ],
])('%s is reserved', (name) => {
  expect(isReserved(name)).toBe(true);
});

test.each(['adam', 'administra', 'rooty', 'betty.miller', 'teamo', 'field', 'ai'])(
  '%s is nobody’s in particular',
  (name) => {
    expect(isReserved(name)).toBe(false);
  },
);

test.each(['ann', 'José', 'иван', 'ελένη', 'שרה', 'はなこ', '佐藤ケン', '김철수', 'ann99', 'li王'])(
  '%s is of one script, or of those that are written together',
  (name) => {
    expect(isOfOneScript(name)).toBe(true);
  },
);

test.each(['аnn', 'ann\u03bf', 'иvan', 'שa', 'はангел', '한かな'])('%s mixes scripts', (name) => {
  expect(isOfOneScript(name)).toBe(false);
});
