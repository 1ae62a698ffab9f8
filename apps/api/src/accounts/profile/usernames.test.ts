import { company } from '@app/site/company';
import { offers } from '@app/site/offers';
import { expect, test } from 'vitest';
import { isImpersonation, isOfOneScript, isReserved, usernameKey } from './usernames.ts';

test.each([
  ['case', ['Ann', 'ANN', 'aNN']],
  ['width and style', ['ann', 'ａｎｎ', '𝒶𝓃𝓃', 'ⓐⓝⓝ']],
  ['invisible letters', ['ann', 'a\u200dn\u3164n', 'ann\ufe0f', '\u115fann\u{e0100}']],
  ['composition', ['josé', 'jose\u0301', 'JOSÉ']],
  ['Cyrillic for Latin', ['paypal', 'раураl', 'РАУРАL']],
  ['capitals that look alike', ['HET', 'НЕТ', 'ΗΕΤ']],
  ['capital I, small l and one', ['Iris', 'lris', '1ris', 'ıris', 'İris']],
  ['zero', ['Otto', '0tto', 'οttο']],
  ['two letters for one', ['modern', 'rnodern', 'MODERN']],
  ['one letter for two', ['straße', 'STRASSE', 'strasse']],
  ['the final sigma', ['οδος', 'ΟΔΟΣ', 'οδοσ']],
])('treats names as equal despite %s', (_, names) => {
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
])('distinguishes %s and %s', (one, other) => {
  expect(usernameKey(one)).not.toBe(usernameKey(other));
});

test('is idempotent for every letter', () => {
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
  ...['ТЕАМ', 'r00t', 'system', 'user1', 'support'],
  offers.betty.name.toUpperCase(),
  company.name.replaceAll(' ', '_'),
  company.name.split(' ').find((word) => word.length > 3) ?? company.name,
])('reserves %s', (name) => {
  expect(isReserved(name)).toBe(true);
});

test.each(['adam', 'administra', 'rooty', `${offers.betty.name}.miller`, 'teamo', 'ai'])(
  'does not reserve %s',
  (name) => {
    expect(isReserved(name)).toBe(false);
  },
);

test.each(['ann', 'José', 'иван', 'ελένη', 'שרה', 'はなこ', '佐藤ケン', '김철수', 'ann99', 'li王'])(
  'accepts %s, whose scripts are used together',
  (name) => {
    expect(isOfOneScript(name)).toBe(true);
  },
);

test.each(['аnn', 'ann\u03bf', 'иvan', 'שa', 'はангел', '한かな'])(
  'rejects %s, which mixes scripts',
  (name) => {
    expect(isOfOneScript(name)).toBe(false);
  },
);

test.each([
  ['Fieldlight AI Support', 'Fieldlight AI', true],
  ['FieIdlight.AI', 'Fieldlight AI', true],
  ['Fieldlight\u3164AI', 'Fieldlight AI', true],
  ['F\u115fi\u200de\u{e0100}ldlight\u2800AI', 'Fieldlight AI', true],
  ['ACE', 'Ace', true],
  ['Grace Hopper', 'Ace', false],
  ['Anna Müller', 'Müller', false],
  ['Anna', '★', false],
])('%s at a company named %s is an impersonation: %s', (name, company, expected) => {
  expect(isImpersonation(name, [], [company])).toBe(expected);
});
