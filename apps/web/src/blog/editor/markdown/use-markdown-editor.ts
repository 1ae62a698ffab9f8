import { editor as words } from '@app/site/blog/editor';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ContentAttributes, MarkdownEditor } from './create-editor.ts';
import type { Marks } from './marks.ts';

interface Options {
  textarea: RefObject<HTMLTextAreaElement | null>;
  parent: RefObject<HTMLElement | null>;
  editor: RefObject<MarkdownEditor | null>;
  error: string | undefined;
  onFiles: (files: File[], at: number | null) => void;
  onCursor: () => void;
}

/** Loads the editor and shows it instead of the textarea, which remains the form's field. */
export const useMarkdownEditor = ({
  textarea,
  parent,
  editor,
  error,
  onFiles,
  onCursor,
}: Options) => {
  const [isReady, setReady] = useState(false);
  const [marks, setMarks] = useState<Marks | null>(null);
  const latest = useRef({ error, onFiles, onCursor });
  latest.current = { error, onFiles, onCursor };

  useEffect(() => {
    // Excludes the editor from the bundle of the renderer.
    if (import.meta.env.SSR) return;
    let isGone = false;
    const load = async () => {
      const { createMarkdownEditor } = await import('./create-editor.ts');
      const field = textarea.current;
      const element = parent.current;
      if (isGone || editor.current || !field || !element) return;
      // Otherwise, an active input method would lose its text.
      if (isComposing(field)) await compositionEnd(field);
      editor.current = createMarkdownEditor({
        parent: element,
        textarea: field,
        attributes: attributesFor(latest.current.error),
        phrases: words.phrases,
        onMarks: setMarks,
        onFiles: (files, at) => latest.current.onFiles(files, at),
        onCursor: () => latest.current.onCursor(),
      });
      const hadFocus = document.activeElement === field;
      // Synchronous, so that no layout has both or none of them. Elements below must not move,
      // because a press on them would be lost.
      flushSync(() => setReady(true));
      if (hadFocus) editor.current.focus();
    };
    // If the script cannot be loaded, the textarea stays.
    load().catch(reportError);
    return () => {
      isGone = true;
      editor.current?.destroy();
      editor.current = null;
    };
  }, [textarea, parent, editor]);

  // A layout effect, to run before the form focuses the first field with an error.
  useLayoutEffect(() => {
    if (isReady) editor.current?.setAttributes(attributesFor(error));
  }, [editor, isReady, error]);

  // The label cannot focus the editor by itself, because it is not a form control.
  useLayoutEffect(() => {
    if (!isReady) return;
    const label = document.querySelector('label[for=post-content]');
    const focus = () => editor.current?.focus();
    label?.addEventListener('click', focus);
    return () => label?.removeEventListener('click', focus);
  }, [editor, isReady]);

  return { isReady, marks };
};

const attributesFor = (error: string | undefined): ContentAttributes => ({
  'aria-label': words.content,
  'aria-describedby': error ? 'post-content-hint post-content-error' : 'post-content-hint',
  ...(error && { 'aria-invalid': 'true' }),
  dir: 'auto',
  spellcheck: 'true',
  autocorrect: 'on',
  autocapitalize: 'sentences',
});

/** Fields in which an input method is composing. Browsers do not expose this state. */
const composing = new WeakSet<EventTarget>();
if (typeof document !== 'undefined') {
  document.addEventListener('compositionstart', ({ target }) => target && composing.add(target));
  document.addEventListener('compositionend', ({ target }) => target && composing.delete(target));
}
const isComposing = (field: HTMLElement): boolean => composing.has(field);
const compositionEnd = (field: HTMLElement): Promise<unknown> =>
  new Promise((resolve) => field.addEventListener('compositionend', resolve, { once: true }));
