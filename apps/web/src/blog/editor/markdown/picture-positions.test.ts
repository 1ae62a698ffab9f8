import { history, redo, undo } from '@codemirror/commands';
import { EditorState, type Transaction, type TransactionSpec } from '@codemirror/state';
import { describe, expect, test } from 'vitest';
import { createTextPictures, picturePositions } from './picture-positions.ts';

/** @param marked the text, with the cursor at `|` */
function setUp(marked: string) {
  const view = {
    state: EditorState.create({
      doc: marked.replace('|', ''),
      selection: { anchor: Math.max(0, marked.indexOf('|')) },
      extensions: [history(), picturePositions],
    }),
    dispatch(spec: TransactionSpec | Transaction) {
      // Commands dispatch transactions.
      view.state = 'state' in spec ? spec.state : view.state.update(spec).state;
    },
  };
  return {
    pictures: createTextPictures(view),
    edit: (from: number, to: number, insert: string) =>
      view.dispatch({ changes: { from, to, insert }, userEvent: 'input.type' }),
    undo: () => undo(view),
    redo: () => redo(view),
    /** The text with the cursor at `|`. */
    text() {
      const { head } = view.state.selection.main;
      const text = view.state.doc.toString();
      return `${text.slice(0, head)}|${text.slice(head)}`;
    },
    placeholders: () =>
      [...view.state.field(picturePositions).values()].map(({ offset, placeholder }) => [
        offset,
        placeholder,
      ]),
  };
}

const image = (name: string) => `![](/${name})`;

describe('inserts a picture as a separate paragraph', () => {
  test.each([
    ['in an empty text', '|', '![](/a)\n\n|'],
    ['below the line of the cursor', 'On|e\nTwo', 'One\n\n![](/a)\n|\nTwo'],
    ['at the end of the text', 'One|', 'One\n\n![](/a)\n\n|'],
    ['above a line with the cursor at its start', 'One\n|Two', 'One\n\n![](/a)\n\n|Two'],
    ['on an empty line', 'One\n|\nTwo', 'One\n\n![](/a)\n|\nTwo'],
    ['between paragraphs', 'One\n\n|\n\nTwo', 'One\n\n![](/a)|\n\nTwo'],
    ['before a line that has only spaces', 'One\n\n  |', 'One\n\n![](/a)\n\n|  '],
  ])('%s', (_where, before, after) => {
    const { pictures, text } = setUp(before);
    pictures.reserve(1, 'a', null);
    pictures.insert(1, image('a'));
    expect(text()).toBe(after);
  });
});

describe('the position of an upload', () => {
  test('follows changes before it, and stays before what is typed at it', () => {
    const { pictures, edit, text, placeholders } = setUp('One\n\n|');
    pictures.reserve(1, 'Uploading', null);
    edit(5, 5, 'typed');
    expect(placeholders()).toEqual([[5, 'Uploading']]);
    edit(0, 0, 'Zero\n\n');
    expect(placeholders()).toEqual([[11, 'Uploading']]);
    pictures.insert(1, image('a'));
    expect(text()).toBe('Zero\n\nOne\n\n![](/a)\n\n|typed');
  });

  test('is where its line was if the line is removed', () => {
    const { pictures, edit, text, placeholders } = setUp('One\n\nTwo\n\nThree|');
    pictures.reserve(1, 'Uploading', 8);
    edit(3, 9, '');
    expect(placeholders()).toEqual([[3, 'Uploading']]);
    pictures.insert(1, image('a'));
    expect(text()).toBe('One\n\n![](/a)\n\nThree|');
  });

  test('is the end of a text that became shorter', () => {
    const { pictures, placeholders } = setUp('One|');
    pictures.reserve(1, 'Uploading', 100);
    expect(placeholders()).toEqual([[3, 'Uploading']]);
  });

  test('stays without a placeholder after a failure, until it is released', () => {
    const { pictures, text, placeholders } = setUp('One|');
    pictures.reserve(1, 'Uploading', null);
    expect(pictures.arePending()).toBe(true);
    pictures.setPlaceholder(1, null);
    expect(pictures.arePending()).toBe(false);
    pictures.setPlaceholder(1, 'Again');
    expect(placeholders()).toEqual([[3, 'Again']]);
    pictures.release(1);
    expect(placeholders()).toEqual([]);
    pictures.insert(1, image('a'));
    pictures.setPlaceholder(1, 'Late');
    expect(text()).toBe('One|');
  });
});

describe('several uploads', () => {
  test.each([
    ['stored in order', [1, 2, 3]],
    ['of which a later one is stored first', [2, 3, 1]],
  ])('at one position, %s, keep their order', (_what, stored) => {
    const { pictures, text } = setUp('One|\n\nTwo');
    for (const id of [1, 2, 3]) pictures.reserve(id, `${id}`, null);
    for (const id of stored) pictures.insert(id, image(`${id}`));
    expect(text().replace('|', '')).toBe('One\n\n![](/1)\n\n![](/2)\n\n![](/3)\n\nTwo');
    expect(pictures.arePending()).toBe(false);
  });

  test('at different columns of a line are inserted below it', () => {
    const { pictures, text } = setUp('One two|');
    pictures.reserve(1, 'a', 3);
    pictures.reserve(2, 'b', 7);
    pictures.insert(1, image('a'));
    pictures.insert(2, image('b'));
    expect(text().replace('|', '')).toBe('One two\n\n![](/a)\n\n![](/b)\n\n');
  });
});

describe('undo', () => {
  test('removes only the picture, in one step', () => {
    const { pictures, edit, undo: undoOne, redo: redoOne, text } = setUp('One|');
    pictures.reserve(1, 'a', null);
    edit(3, 3, '!');
    pictures.insert(1, image('a'));
    const inserted = text().replace('|', '');
    expect(inserted).toContain(image('a'));
    undoOne();
    expect(text().replace('|', '')).toBe('One!');
    redoOne();
    expect(text().replace('|', '')).toBe(inserted);
  });

  test('of text that was typed before keeps the position valid', () => {
    const { pictures, edit, undo: undoOne, text } = setUp('|');
    edit(0, 0, 'Typed');
    pictures.reserve(1, 'a', 5);
    undoOne();
    pictures.insert(1, image('a'));
    expect(text()).toBe('![](/a)\n\n|');
  });
});

describe('a description', () => {
  const described = (alt: string, caption = '') => `![${alt}](/a${caption && ` "${caption}"`})`;

  test('replaces the Markdown of its own picture if there are equal ones', () => {
    const { pictures, text } = setUp('![](/a)\n\nBetween\n\n|');
    pictures.reserve(1, 'a', null);
    pictures.insert(1, image('a'));
    pictures.describe(1, '/a', described('Valve'));
    expect(text()).toBe('![](/a)\n\nBetween\n\n![Valve](/a)\n\n|');
  });

  test.each(['The \\"old\\" one', 'Ends with \\\\', 'With \\") in it'])(
    'replaces a picture with the caption %s',
    (caption) => {
      const { pictures, text } = setUp('|');
      pictures.reserve(1, 'a', null);
      pictures.insert(1, described('', caption));
      pictures.describe(1, '/a', described('Valve', caption));
      expect(text()).toBe(`${described('Valve', caption)}\n\n|`);
    },
  );

  test('is ignored if the picture was removed or changed by hand', () => {
    for (const [from, to, insert] of [
      [0, 7, ''],
      [5, 6, '/b'],
      [2, 2, '\n'],
    ] as const) {
      const { pictures, edit, text } = setUp('|');
      pictures.reserve(1, 'a', null);
      pictures.insert(1, image('a'));
      edit(from, to, insert);
      const changed = text();
      pictures.describe(1, '/a', described('Valve'));
      expect(text()).toBe(changed);
    }
  });
});
