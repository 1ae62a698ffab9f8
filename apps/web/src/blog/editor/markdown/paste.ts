import { syntaxTree } from '@codemirror/language';
import { EditorView } from '@codemirror/view';

/** Text of code editors, which color it. */
const isCode = (html: string): boolean => /vscode|data-code/i.test(html);

/**
 * Pastes formatted text as Markdown, except into code. With Shift, browsers paste plain text. A URL
 * over a selection is `pasteURLAsLink` of the Markdown language.
 */
export const pasteAsMarkdown = EditorView.domEventHandlers({
  paste(event, view) {
    const html = event.clipboardData?.getData('text/html');
    const plain = event.clipboardData?.getData('text/plain') ?? '';
    if (!html || isCode(html) || /^https?:\/\/\S+$/.test(plain.trim())) return false;
    const { from } = view.state.selection.main;
    const { name } = syntaxTree(view.state).resolveInner(from, -1);
    if (/Code/.test(name)) return false;
    event.preventDefault();
    void pasteHtml(view, html, plain);
    return true;
  },
});

/** Its script is loaded when it is needed first. Without it, and without formatting, pastes plain text. */
const pasteHtml = async (view: EditorView, html: string, plain: string): Promise<void> => {
  const converter = await import('./html-to-markdown.ts').catch(() => null);
  view.dispatch(view.state.replaceSelection(converter?.markdownOf(html) ?? plain), {
    userEvent: 'input.paste',
    scrollIntoView: true,
  });
};
