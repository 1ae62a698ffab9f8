import { syntaxTree } from '@codemirror/language';
import { EditorView } from '@codemirror/view';

/** Text of code editors, which color it. VS Code adds a type of its own. */
const isCode = ({ types }: DataTransfer, html: string): boolean =>
  types.includes('vscode-editor-data') || /^[^<]*<[^>]*\sdata-code/i.test(html);

let pasted: Promise<unknown> = Promise.resolve();

/** Resolves when the text has all that was pasted. */
export const afterPastes = (): Promise<unknown> => pasted;

/**
 * Pastes formatted text as Markdown, except into code. With Shift, browsers paste plain text. A URL
 * over a selection is `pasteURLAsLink` of the Markdown language.
 */
export const pasteAsMarkdown = EditorView.domEventHandlers({
  paste(event, view) {
    const { clipboardData } = event;
    if (!clipboardData) return false;
    const html = clipboardData.getData('text/html');
    const plain = clipboardData.getData('text/plain');
    if (!html || isCode(clipboardData, html) || /^https?:\/\/\S+$/.test(plain.trim())) return false;
    const { from } = view.state.selection.main;
    const { name } = syntaxTree(view.state).resolveInner(from, -1);
    if (/Code/.test(name)) return false;
    event.preventDefault();
    pasted = Promise.allSettled([pasted, pasteHtml(view, html, plain)]);
    return true;
  },
});

const pasteHtml = async (view: EditorView, html: string, plain: string): Promise<void> => {
  const text = (await convert(html)) ?? plain;
  view.dispatch(view.state.replaceSelection(text), {
    userEvent: 'input.paste',
    scrollIntoView: true,
  });
};

/** The script for it is loaded on first use. @returns null without it, and without formatting */
const convert = async (html: string): Promise<string | null> => {
  try {
    const { markdownOf } = await import('./html-to-markdown.ts');
    return markdownOf(html);
  } catch (error) {
    reportError(error);
    return null;
  }
};
