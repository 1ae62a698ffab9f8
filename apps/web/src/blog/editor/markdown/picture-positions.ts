import { isolateHistory } from '@codemirror/commands';
import {
  type EditorState,
  StateEffect,
  StateField,
  type Text,
  type TransactionSpec,
} from '@codemirror/state';
import { Decoration, EditorView, WidgetType } from '@codemirror/view';

/** The position of a picture or its upload, which follows changes of the text. */
interface PicturePosition {
  offset: number;
  /** Shown until the picture is inserted. Null afterwards, and after a failed upload. */
  placeholder: string | null;
}

/** The offset is in the text after the transaction. */
const setPosition = StateEffect.define<{ id: number; position: PicturePosition | null }>();

export const picturePositions = StateField.define<ReadonlyMap<number, PicturePosition>>({
  create: () => new Map(),
  update(before, { changes, docChanged, effects }) {
    const changed = effects.filter((effect) => effect.is(setPosition));
    if (changed.length === 0 && (!docChanged || before.size === 0)) return before;
    const positions = new Map(
      // Text that is typed at a placeholder comes after the picture.
      [...before].map(([id, { offset, placeholder }]) => [
        id,
        { offset: changes.mapPos(offset, placeholder === null ? 1 : -1), placeholder },
      ]),
    );
    for (const { value } of changed) {
      if (value.position) positions.set(value.id, value.position);
      else positions.delete(value.id);
    }
    return positions;
  },
  provide: (field) =>
    EditorView.decorations.from(field, (positions) =>
      Decoration.set(
        [...positions.values()].flatMap(({ offset, placeholder }) =>
          placeholder === null
            ? []
            : [Decoration.widget({ widget: new Placeholder(placeholder), side: 1 }).range(offset)],
        ),
        true,
      ),
    ),
});

class Placeholder extends WidgetType {
  readonly #text: string;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  override eq(other: Placeholder): boolean {
    return other.#text === this.#text;
  }

  /** Hidden from screen readers, because a live region next to the editor has the same text. */
  override toDOM(): HTMLElement {
    const element = document.createElement('span');
    element.className = 'cm-picture-placeholder';
    element.textContent = this.#text;
    element.ariaHidden = 'true';
    return element;
  }
}

export type TextPictures = ReturnType<typeof createTextPictures>;

/** The part of `EditorView` that is used. */
interface View {
  readonly state: EditorState;
  dispatch: (spec: TransactionSpec) => void;
}

/** Adds pictures to the text. Ids are larger for later pictures. */
export const createTextPictures = (view: View) => {
  const positionOf = (id: number) => view.state.field(picturePositions).get(id);
  const change = (id: number, position: PicturePosition | null) =>
    view.dispatch({ effects: setPosition.of({ id, position }) });

  return {
    /** @param at an offset in the text; null for the cursor */
    reserve(id: number, placeholder: string, at: number | null) {
      const offset = Math.min(at ?? view.state.selection.main.to, view.state.doc.length);
      change(id, { offset, placeholder });
    },

    /** @param placeholder null after a failed upload */
    setPlaceholder(id: number, placeholder: string | null) {
      const position = positionOf(id);
      if (position) change(id, { ...position, placeholder });
    },

    release: (id: number) => change(id, null),

    arePending: () =>
      [...view.state.field(picturePositions).values()].some(
        ({ placeholder }) => placeholder !== null,
      ),

    /** Inserts a picture as a paragraph, which is undone in one step. */
    insert(id: number, markdown: string) {
      const { doc, selection } = view.state;
      const position = positionOf(id);
      if (!position) return;
      const at = paragraphOffset(doc, position.offset);
      const start = at + newlinesBefore(doc, at).length;
      const insert = `${newlinesBefore(doc, at)}${markdown}${newlinesAfter(doc, at)}`;
      const end = start + markdown.length;
      // Later pictures for the same line move behind this one, which keeps their order.
      const next = [...view.state.field(picturePositions)].filter(
        ([other, { offset }]) => other > id && paragraphOffset(doc, offset) === at,
      );
      const { main } = selection;
      const hasCursor = main.empty && main.head === position.offset;
      view.dispatch({
        changes: { from: at, insert },
        ...(hasCursor && { selection: { anchor: at + insert.length } }),
        effects: [
          setPosition.of({ id, position: { offset: start, placeholder: null } }),
          ...next.map(([other, { placeholder }]) =>
            setPosition.of({ id: other, position: { offset: end, placeholder } }),
          ),
        ],
        annotations: isolateHistory.of('full'),
        userEvent: 'input.paste',
      });
    },

    /**
     * Replaces the Markdown of an inserted picture, unless it was removed.
     * @param path the picture's path in the Markdown
     */
    describe(id: number, path: string, markdown: string) {
      const position = positionOf(id);
      if (!position) return;
      const text = view.state.doc.toString();
      const distance = ({ from }: Range) => Math.abs(from - position.offset);
      const [found] = findPictures(text, path).sort((a, b) => distance(a) - distance(b));
      if (!found || text.slice(found.from, found.to) === markdown) return;
      view.dispatch({
        changes: { ...found, insert: markdown },
        annotations: isolateHistory.of('full'),
        userEvent: 'input',
      });
    },
  };
};

/** The end of the line, or its start if the offset is there or the line is empty. */
const paragraphOffset = (doc: Text, offset: number): number => {
  const { from, to, text } = doc.lineAt(offset);
  return text.trim() === '' || offset === from ? from : to;
};

interface Range {
  from: number;
  to: number;
}

/** Finds pictures in the format of `markdownOfPicture`. */
const findPictures = (text: string, path: string): Range[] => {
  const found: Range[] = [];
  const middle = `](${path}`;
  for (let at = text.indexOf(middle); at !== -1; at = text.indexOf(middle, at + 1)) {
    const from = text.lastIndexOf('![', at);
    const to = endOfPicture(text, at + middle.length);
    if (from !== -1 && to !== -1 && !text.slice(from, at).includes('\n')) found.push({ from, to });
  }
  return found;
};

/** The end of a picture, whose URL a caption can follow. @returns -1 if it is not a picture */
const endOfPicture = (text: string, at: number): number => {
  if (text[at] === ')') return at + 1;
  if (!text.startsWith(' "', at)) return -1;
  let end = at + 2;
  while (end < text.length && text[end] !== '"' && text[end] !== '\n') {
    end += text[end] === '\\' ? 2 : 1;
  }
  return text.startsWith('")', end) ? end + 2 : -1;
};

const newlinesBefore = (doc: Text, at: number): string => {
  const before = doc.sliceString(Math.max(0, at - 2), at);
  if (at === 0 || before === '\n' || before === '\n\n') return '';
  return before.endsWith('\n') ? '\n' : '\n\n';
};

const newlinesAfter = (doc: Text, at: number): string => {
  const after = doc.sliceString(at, at + 2);
  if (after === '\n\n') return '';
  return after.startsWith('\n') ? '\n' : '\n\n';
};
