import type { PageData } from '@app/contract/pages';
import type { Deps } from './deps.ts';

type PageRenderer = Pick<Deps['renderer'], 'render'>;

/** Returns a key for pages that depend on nothing else; undefined for other pages. */
export type SharedPageKey = (page: PageData) => string | undefined;

/** Renders pages that are the same for every path and user only once per key. */
export function renderOnce({ render }: PageRenderer, keyOf: SharedPageKey): PageRenderer {
  const rendered = new Map<string, ReturnType<typeof render>>();
  return {
    render(path, page) {
      const key = keyOf(page);
      if (key === undefined) return render(path, page);
      const known = rendered.get(key);
      if (known) return known;
      const rendering = render(path, page);
      rendered.set(key, rendering);
      rendering.catch(() => rendered.delete(key));
      return rendering;
    },
  };
}
