import { expect, test } from 'vitest';
import { escapeXml } from './xml.ts';

test.each([
  ['Calls & <b>visits</b>', 'Calls &amp; &lt;b&gt;visits&lt;/b&gt;'],
  [`"it's"`, '&quot;it&apos;s&quot;'],
  ['kept:\t\n\r, removed: \u0000\u0008\u001f\uffff', 'kept:\t\n\r, removed: '],
])('escapes %j as XML text', (text, xml) => {
  expect(escapeXml(text)).toBe(xml);
});
