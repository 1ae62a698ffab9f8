import type { PostPreviewed } from '@app/contract/blog/posts';
import { editor } from '@app/site/blog/editor';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { callApi } from '../../../http/call-api.ts';
import { textsOf } from '../../../unsaved/form-texts.ts';
import { onFormInput } from '../on-form-input.ts';
import { blockPositionOf } from './block-position.ts';
import { blockStartsOf } from './block-starts.ts';
import { scrollToBlock } from './scroll-to-block.ts';
import { type PreviewTheme, showPage } from './show-page.ts';
import { whenIdle } from './when-idle.ts';

/** In milliseconds. Updating a long page between two keystrokes would delay the second one. */
const typingPause = 100;
const typingPauseOfLongText = 300;
/** In milliseconds. After that time, the next change is sent. */
const timeout = 15_000;
/** In characters. */
const longText = 30_000;

const pauseFor = (form: HTMLFormElement): number => {
  const { textLength } = form.elements.namedItem('content') as HTMLTextAreaElement;
  return textLength > longText ? typingPauseOfLongText : typingPause;
};

export interface Cursor {
  text: string;
  position: number;
}

interface PreviewOptions {
  form: RefObject<HTMLFormElement | null>;
  frame: RefObject<HTMLIFrameElement | null>;
  /** Undefined for a new post. */
  postId: string | undefined;
  theme: PreviewTheme;
  isShown: boolean;
  /** Returns null before the textarea is mounted. */
  cursorOf: () => Cursor | null;
}

/** Updates a frame to show the page that the form would publish. */
export const usePreview = ({ form, frame, postId, theme, isShown, cursorOf }: PreviewOptions) => {
  const [problem, setProblem] = useState<string | null>(null);
  const last = useRef<string | null>(null);
  const running = useRef<AbortController | null>(null);
  const isOutdated = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const scroll = useCallback(() => {
    const cursor = cursorOf();
    const page = frame.current?.contentWindow;
    if (!cursor || !page || last.current === null) return;
    const { text, position } = cursor;
    const block = blockPositionOf(blockStartsOf(text), text.length, position);
    if (block) scrollToBlock(page, block);
  }, [frame, cursorOf]);

  const frameRequest = useRef(0);
  const follow = useCallback(() => {
    cancelAnimationFrame(frameRequest.current);
    frameRequest.current = requestAnimationFrame(scroll);
  }, [scroll]);

  const show = useCallback(() => {
    const page = frame.current?.contentDocument;
    if (!page || last.current === null) return;
    if (showPage(page, last.current, theme)) follow();
    else page.location.reload();
  }, [frame, theme, follow]);

  const load = useCallback(async () => {
    // The server renders one preview per account at a time, even if its request was aborted.
    if (running.current) {
      isOutdated.current = true;
      return;
    }
    if (!form.current) return;
    const request = new AbortController();
    running.current = request;
    isOutdated.current = false;
    const { published, scheduledAt, ...texts } = textsOf(form.current);
    const body = { ...texts, ...(postId !== undefined && { post: postId }) };
    const reply = await callApi<PostPreviewed>('POST', '/api/posts/preview', body, {
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeout)]),
    });
    if (request.signal.aborted) return;
    running.current = null;
    if (reply.ok) {
      last.current = reply.value.html;
      setProblem(null);
      whenIdle(show);
    } else {
      const { problem: refusal, retryAfter } = reply;
      setProblem(refusal?.issues?.[0]?.message ?? refusal?.detail ?? editor.preview.unreachable);
      if (retryAfter !== null) {
        clearTimeout(timer.current);
        timer.current = setTimeout(load, retryAfter * 1_000);
        return;
      }
    }
    if (isOutdated.current) await load();
  }, [form, postId, show]);

  const schedule = useCallback(() => {
    clearTimeout(timer.current);
    if (form.current) timer.current = setTimeout(load, pauseFor(form.current));
  }, [form, load]);

  useEffect(() => {
    const element = form.current;
    if (!isShown || !element) return;
    schedule();
    const stopListening = onFormInput(element, schedule);
    return () => {
      stopListening();
      clearTimeout(timer.current);
      running.current?.abort();
      running.current = null;
    };
  }, [form, isShown, schedule]);

  return { problem, show, follow };
};
