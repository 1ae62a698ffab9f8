import { blogMessages, postFieldMessages } from '@app/contract/blog/messages';
import {
  type Post,
  type SlugChecked,
  type SlugState,
  slugOf,
  slugProblem,
} from '@app/contract/blog/posts';
import { editor } from '@app/site/blog/editor';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { FieldStatus } from '../../components/form/Field.tsx';
import { callApi } from '../../http/call-api.ts';
import { onFormInput } from './on-form-input.ts';

/** In milliseconds. */
const typingPause = 300;

const statuses: Record<SlugState, FieldStatus> = {
  free: { text: editor.slugFree },
  taken: { text: blogMessages.slugTaken, isProblem: true },
  reserved: { text: postFieldMessages.slugReserved, isProblem: true },
  invalid: { text: postFieldMessages.slugShape, isProblem: true },
};

interface SlugOptions {
  form: RefObject<HTMLFormElement | null>;
  /** Undefined for a new post. */
  post: Pick<Post, 'id' | 'slug'> | undefined;
  /** Called when the slug was derived from the title. */
  onDerived: () => void;
}

interface SlugResult {
  status: FieldStatus | null;
  /** Whether a save would give the post another URL. */
  isMoved: boolean;
}

/**
 * Derives the slug of a new post from its title until the writer changes it, and checks whether it
 * can be used. Ignores failed requests, because the save checks the slug again.
 */
export const useSlug = ({ form, post, onDerived }: SlugOptions): SlugResult => {
  const [state, setState] = useState<SlugState | null>(null);
  const [isChanged, setChanged] = useState(false);
  const onDerivedNow = useRef(onDerived);
  useEffect(() => {
    onDerivedNow.current = onDerived;
  });
  const id = post?.id;
  const saved = post?.slug;

  useEffect(() => {
    const element = form.current;
    if (!element) return;
    const fieldOf = (name: string) => element.elements.namedItem(name) as HTMLInputElement;
    const title = fieldOf('title');
    const field = fieldOf('slug');
    const isDerivable = () => field.value === '' || field.value === slugOf(title.value);
    const isNew = id === undefined;
    let isDerived = isNew && isDerivable();
    let checked = saved ?? '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    let running: AbortController | undefined;

    const check = async (slug: string) => {
      const problem = slugProblem(slug);
      if (problem) return setState(problem);
      const request = new AbortController();
      running = request;
      const path = `/api/posts/slugs/${slug}${isNew ? '' : `?post=${id}`}`;
      const { signal } = request;
      const reply = await callApi<SlugChecked>('GET', path, undefined, { signal });
      if (!signal.aborted) setState(reply.ok ? reply.value.state : null);
    };

    const derive = () => {
      field.value = slugOf(title.value);
      onDerivedNow.current();
    };

    const checkChanged = () => {
      setChanged(!['', saved].includes(field.value.trim()));
      if (field.value === checked) return;
      checked = field.value;
      clearTimeout(timer);
      running?.abort();
      const slug = checked.trim();
      if (slug === '' || slug === saved) setState(null);
      else timer = setTimeout(check, typingPause, slug);
    };

    const onInput = ({ target }: Event) => {
      if (target === field) isDerived = isNew && field.value === '';
      // Restored text has filled in the whole form.
      if (target === element) isDerived = isNew && isDerivable();
      if (target === title && isDerived) derive();
      checkChanged();
    };

    // For a title that was typed before hydration. Skips a focused field, where a derived slug
    // would mix with typing. Uses a timeout, because React can run this effect while the focus
    // moves there.
    const early = setTimeout(() => {
      if (isDerived && title.value !== '' && document.activeElement !== field) derive();
      checkChanged();
    });
    const stopListening = onFormInput(element, onInput);
    return () => {
      stopListening();
      clearTimeout(early);
      clearTimeout(timer);
      running?.abort();
    };
  }, [form, id, saved]);

  const status = state && statuses[state];
  return { status, isMoved: post !== undefined && isChanged && !status?.isProblem };
};
