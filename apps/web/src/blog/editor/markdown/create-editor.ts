import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { indentUnit } from '@codemirror/language';
import { Compartment, EditorState, Prec, type StateCommand } from '@codemirror/state';
import { drawSelection, dropCursor, EditorView, keymap } from '@codemirror/view';
import { adoptEditorStyles } from './adopt-styles.ts';
import { editorTheme } from './editor-theme.ts';
import { type InlineMark, toggleMark } from './inline-marks.ts';
import { leaveList } from './leave-list.ts';
import { type LineMark, toggleLines } from './line-marks.ts';
import { insertLink } from './link.ts';
import { lastAdded } from './mark-undo.ts';
import { markdownSyntax } from './markdown-syntax.ts';
import { type Marks, marksAt } from './marks.ts';
import { afterPastes, pasteAsMarkdown } from './paste.ts';
import { pictureFiles } from './picture-files.ts';
import { createTextPictures, picturePositions, type TextPictures } from './picture-positions.ts';
import { alignOrInsertTable } from './table.ts';

export type Command = InlineMark | 'link' | LineMark | 'table';

const commands: Record<Command, StateCommand> = {
  bold: toggleMark('bold'),
  italic: toggleMark('italic'),
  strikethrough: toggleMark('strikethrough'),
  code: toggleMark('code'),
  link: insertLink,
  heading: toggleLines('heading'),
  bullets: toggleLines('bullets'),
  numbers: toggleLines('numbers'),
  quote: toggleLines('quote'),
  table: alignOrInsertTable,
};

/** Keys of CodeMirror's search, which is loaded when one of them is first pressed. */
const searchKeys = ['Mod-f', 'F3', 'Mod-g', 'Mod-Shift-l', 'Mod-Alt-g', 'Mod-d'] as const;

/** In milliseconds. */
const typingPause = 300;

/**
 * Areas that the header and the toolbar cover, in CSS pixels. The toolbar is below the header, or
 * at the bottom of touch screens.
 */
const covered = { top: 128, bottom: 64 };

/** Attributes of the contentEditable element, such as its label. */
export type ContentAttributes = Record<string, string>;

interface Options {
  parent: HTMLElement;
  /**
   * The form's field, with the initial text and cursor. Its text is updated in pauses of typing.
   */
  textarea: HTMLTextAreaElement;
  attributes: ContentAttributes;
  phrases: Record<string, string>;
  onMarks: (marks: Marks) => void;
  /** Called for pasted or dropped files. @param at a position in the text; null for the cursor */
  onFiles: (files: File[], at: number | null) => void;
  /** Called when the cursor was moved without a change of the text. */
  onCursor: () => void;
}

export interface MarkdownEditor {
  run: (command: Command) => void;
  find: () => void;
  focus: () => void;
  setAttributes: (attributes: ContentAttributes) => void;
  /** Replaces the text. Can be undone. */
  setText: (text: string) => void;
  /** The whole text, copied at most once per change. */
  text: () => string;
  afterPastes: () => Promise<unknown>;
  cursor: () => number;
  pictures: TextPictures;
  destroy: () => void;
}

/**
 * If the text node at the end of a line is replaced, Chromium moves the cursor behind all nodes, and
 * then inserts the next letter before the last of them, such as the mark of a list.
 */
const placeCursorInText = (view: EditorView): void => {
  const { head, empty } = view.state.selection.main;
  const { node, offset } = view.domAtPos(head, -1);
  if (empty) document.getSelection()?.collapse(node, offset);
};

export const createMarkdownEditor = ({
  parent,
  textarea,
  attributes,
  phrases,
  onMarks,
  onFiles,
  onCursor,
}: Options): MarkdownEditor => {
  adoptEditorStyles();
  const contentAttributes = new Compartment();
  const searching = new Compartment();
  const search = async (key: (typeof searchKeys)[number]) => {
    const { searchCommand, searchExtension } = await import('./search.ts');
    view.dispatch({ effects: searching.reconfigure(searchExtension) });
    searchCommand(key)?.(view);
  };
  const startSearch = (key: (typeof searchKeys)[number]) => {
    search(key).catch(reportError);
    return true;
  };
  let marks = '';
  const showMarks = (state: EditorState) => {
    const now = marksAt(state);
    if (JSON.stringify(now) === marks) return;
    marks = JSON.stringify(now);
    onMarks(now);
  };
  // Cached, because copying a long text on each keystroke would be noticeable.
  let copied: { of: EditorState['doc']; text: string } | undefined;
  const text = () => {
    const { doc } = view.state;
    if (copied?.of !== doc) copied = { of: doc, text: doc.toString() };
    return copied.text;
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const writeBack = () => {
    clearTimeout(timer);
    timer = undefined;
    textarea.value = text();
  };
  const onChange = () => {
    clearTimeout(timer);
    timer = setTimeout(writeBack, typingPause);
    textarea.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const { form } = textarea;
  const onFormData = ({ formData }: FormDataEvent) => formData.set(textarea.name, text());
  form?.addEventListener('formdata', onFormData);
  const { value, selectionStart, selectionEnd } = textarea;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: value,
      selection: { anchor: selectionStart, head: selectionEnd },
      extensions: [
        history(),
        drawSelection(),
        dropCursor(),
        picturePositions,
        searching.of(keymap.of(searchKeys.map((key) => ({ key, run: () => startSearch(key) })))),
        EditorView.lineWrapping,
        EditorView.scrollMargins.of(() => covered),
        EditorState.phrases.of(phrases),
        indentUnit.of('    '),
        markdownSyntax,
        lastAdded,
        Prec.highest(keymap.of([{ key: 'Enter', run: leaveList }])),
        keymap.of([
          { key: 'Mod-b', run: commands.bold },
          { key: 'Mod-i', run: commands.italic },
          { key: 'Mod-Shift-x', run: commands.strikethrough },
          { key: 'Mod-k', run: commands.link },
          ...historyKeymap,
          ...defaultKeymap,
          indentWithTab,
        ]),
        pictureFiles(onFiles),
        pasteAsMarkdown,
        editorTheme,
        contentAttributes.of(EditorView.contentAttributes.of(attributes)),
        EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
          if (docChanged) onChange();
          if (docChanged || selectionSet) showMarks(state);
          if (selectionSet && !docChanged) onCursor();
        }),
      ],
    }),
  });

  return {
    run(command) {
      commands[command](view);
      view.focus();
      placeCursorInText(view);
    },
    find: () => startSearch('Mod-f'),
    focus: () => view.focus(),
    setAttributes: (now) =>
      view.dispatch({
        effects: contentAttributes.reconfigure(EditorView.contentAttributes.of(now)),
      }),
    setText: (insert) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } }),
    text,
    afterPastes,
    cursor: () => view.state.selection.main.head,
    pictures: createTextPictures(view),
    destroy() {
      writeBack();
      form?.removeEventListener('formdata', onFormData);
      view.destroy();
    },
  };
};
