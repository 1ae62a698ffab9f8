import { syntaxTree } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { insertMarkdown, isMarkdownBlocks } from './insert-markdown.ts';

/** Whether a code editor copied the text, which is only colored. VS Code adds its own data type. */
const isCode = ({ types }: DataTransfer, html: string): boolean =>
  types.includes('vscode-editor-data') || /^[^<]*<[^>]*\sdata-code/i.test(html);

let pasted: Promise<unknown> = Promise.resolve();

/** Resolves when all pasted content is in the text. */
export const afterPastes = (): Promise<unknown> => pasted;

/**
 * Pastes formatted text as Markdown, except into code. With Shift, browsers paste plain text. A URL
 * pasted over a selection is handled by CodeMirror's `pasteURLAsLink`.
 */
export const pasteAsMarkdown = EditorView.domEventHandlers({
  paste(event, view) {
    const { clipboardData } = event;
    if (!clipboardData) return false;
    const html = clipboardData.getData('text/html');
    const plain = clipboardData.getData('text/plain');
    const { from } = view.state.selection.main;
    const { name } = syntaxTree(view.state).resolveInner(from, -1);
    if (/Code/.test(name)) return false;
    const isPlain = !html || isCode(clipboardData, html) || /^https?:\/\/\S+$/.test(plain.trim());
    if (isPlain && !isMarkdownBlocks(plain)) return false;
    event.preventDefault();
    if (isPlain) {
      insert(view, plain);
      return true;
    }
    pasted = Promise.allSettled([pasted, pasteHtml(view, html, plain)]);
    return true;
  },
});

const pasteHtml = async (view: EditorView, html: string, plain: string): Promise<void> => {
  insert(view, (await convert(html)) ?? plain);
};

const insert = (view: EditorView, markdown: string): void =>
  view.dispatch(insertMarkdown(view.state, markdown), {
    userEvent: 'input.paste',
    scrollIntoView: true,
  });

/** Loads its script on first use. @returns null if that fails, or there is no formatting */
const convert = async (html: string): Promise<string | null> => {
  try {
    const { markdownOf } = await import('./html-to-markdown.ts');
    return markdownOf(html);
  } catch (error) {
    reportError(error);
    return null;
  }
};
