import { describe, expect, test } from 'vitest';
import { type DeviceCopy, textsToOffer } from './device-copies.ts';
import { initialTexts } from './form-texts.ts';

const texts = (content: string) => ({ ...initialTexts(null), content });
const saved = texts('Saved');
const server = { updatedAt: '2026-11-22T10:00:00.000Z' };
const copy = (content: string, previous: string | null = null): DeviceCopy => ({
  account: 'ann',
  draft: 'post',
  page: content,
  isNew: false,
  baseVersion: 1,
  previous,
  fields: texts(content),
  editedAt: 0,
});

describe('textsToOffer', () => {
  test('offers nothing if there are no texts', () => {
    expect(textsToOffer(null, [], [saved])).toEqual({
      offered: [],
      isServerOffered: false,
      redundant: [],
    });
  });

  test.each([
    ['the only text, on the server', server, [], [], true],
    ['the only text, on the device', null, [copy('A')], ['A'], false],
    [
      'the device’s text if it continues the server’s',
      server,
      [copy('A', server.updatedAt)],
      ['A'],
      false,
    ],
    ['both texts if another device stored the server’s', server, [copy('A')], ['A'], true],
    [
      'the device’s text if the server’s is gone',
      null,
      [copy('A', server.updatedAt)],
      ['A'],
      false,
    ],
    [
      'the texts of two tabs that continued the server’s',
      server,
      [copy('A', server.updatedAt), copy('B', server.updatedAt)],
      ['A', 'B'],
      false,
    ],
  ])('offers %s', (_what, stored, copies, contents, isServerOffered) => {
    const found = textsToOffer(stored, copies, [saved]);
    expect(found.offered.map(({ fields }) => fields.content)).toEqual(contents);
    expect(found.isServerOffered).toBe(isServerOffered);
    expect(found.redundant).toEqual([]);
  });

  test('does not offer what the form shows, or a text twice', () => {
    const same = { ...copy('A'), page: 'other' };
    const found = textsToOffer(null, [copy('Saved'), copy('A'), same], [saved]);
    expect(found.offered).toEqual([copy('A')]);
    expect(found.redundant).toEqual([copy('Saved'), same]);
  });

  test('does not offer a copy of the server’s text in addition to it', () => {
    const { fields } = copy('A');
    const found = textsToOffer(server, [copy('A')], [saved, fields]);
    expect(found).toEqual({ offered: [], isServerOffered: true, redundant: [copy('A')] });
  });
});
