import { isolateHistory } from '@codemirror/commands';
import { StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, EditorView, WidgetType } from '@codemirror/view';

/** Where a picture will be, or is. Follows changes of the text. */
interface Place {
  position: number;
  /** Shown in its place, until it is inserted. */
  label: string | null;
}

/** Positions are in the new text. */
const setPlace = StateEffect.define<{ id: number; place: Place | null }>();

export const picturePlaces = StateField.define<ReadonlyMap<number, Place>>({
  create: () => new Map(),
  update(before, { changes, docChanged, effects }) {
    const changed = effects.filter((effect) => effect.is(setPlace));
    if (changed.length === 0 && (!docChanged || before.size === 0)) return before;
    const places = new Map(
      // What is typed at a place comes after its picture.
      [...before].map(([id, { position, label }]) => [
        id,
        { position: changes.mapPos(position, label === null ? 1 : -1), label },
      ]),
    );
    for (const { value } of changed) {
      if (value.place) places.set(value.id, value.place);
      else places.delete(value.id);
    }
    return places;
  },
  provide: (field) =>
    EditorView.decorations.from(field, (places) =>
      Decoration.set(
        [...places.values()].flatMap(({ position, label }) =>
          label === null
            ? []
            : [Decoration.widget({ widget: new Label(label), side: 1 }).range(position)],
        ),
        true,
      ),
    ),
});

class Label extends WidgetType {
  readonly #text: string;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  override eq(other: Label): boolean {
    return other.#text === this.#text;
  }

  /** A live region beside the editor says the same. */
  override toDOM(): HTMLElement {
    const element = document.createElement('span');
    element.className = 'cm-picture-place';
    element.textContent = this.#text;
    element.ariaHidden = 'true';
    return element;
  }
}

export type PicturePlaces = ReturnType<typeof createPicturePlaces>;

export const createPicturePlaces = (view: EditorView) => {
  const placeOf = (id: number) => view.state.field(picturePlaces).get(id);
  const change = (id: number, place: Place | null) =>
    view.dispatch({ effects: setPlace.of({ id, place }) });

  return {
    /** @param at the position in the text; null at the cursor */
    reserve(id: number, label: string, at: number | null) {
      const position = Math.min(at ?? view.state.selection.main.to, view.state.doc.length);
      change(id, { position, label });
    },

    /** @param label null while the upload has failed */
    setLabel(id: number, label: string | null) {
      const place = placeOf(id);
      if (place) change(id, { ...place, label });
    },

    release: (id: number) => change(id, null),

    /** Whether uploads are under way. */
    areWaiting: () =>
      [...view.state.field(picturePlaces).values()].some(({ label }) => label !== null),

    /** As a paragraph, which is undone at once. */
    insert(id: number, markdown: string) {
      const { doc, selection } = view.state;
      const place = placeOf(id);
      if (!place) return;
      const { from, to, text } = doc.lineAt(place.position);
      const at = text.trim() === '' || place.position === from ? from : to;
      const start = at + newlinesBefore(doc, at).length;
      const insert = `${newlinesBefore(doc, at)}${markdown}${newlinesAfter(doc, at)}`;
      const end = start + markdown.length;
      // Pictures that were added together stay in their order.
      const next = [...view.state.field(picturePlaces)].filter(
        ([other, { position }]) => other > id && position === place.position,
      );
      const { main } = selection;
      const isAtPlace = main.empty && main.head === place.position;
      view.dispatch({
        changes: { from: at, insert },
        ...(isAtPlace && { selection: { anchor: at + insert.length } }),
        effects: [
          setPlace.of({ id, place: { position: start, label: null } }),
          ...next.map(([other, { label }]) =>
            setPlace.of({ id: other, place: { position: end, label } }),
          ),
        ],
        annotations: isolateHistory.of('full'),
        userEvent: 'input.paste',
      });
    },

    /**
     * Replaces the Markdown of an inserted picture, unless it was removed.
     * @param path its URL
     */
    describe(id: number, path: string, markdown: string) {
      const place = placeOf(id);
      if (!place) return;
      const text = view.state.doc.toString();
      const distance = ({ from }: Range) => Math.abs(from - place.position);
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

interface Range {
  from: number;
  to: number;
}

/** As `markdownOfPicture` writes them. */
const findPictures = (text: string, path: string): Range[] => {
  const found: Range[] = [];
  const middle = `](${path}`;
  for (let at = text.indexOf(middle); at !== -1; at = text.indexOf(middle, at + 1)) {
    const from = text.lastIndexOf('![', at);
    const end = at + middle.length;
    let to = text[end] === ')' ? end + 1 : text.indexOf('")', end) + 2;
    while (to > 2 && text[to - 3] === '\\') to = text.indexOf('")', to) + 2;
    if (from !== -1 && to > end && !text.slice(from, to).includes('\n')) found.push({ from, to });
  }
  return found;
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
