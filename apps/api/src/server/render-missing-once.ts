import type { Deps } from './deps.ts';

type PageRenderer = Pick<Deps['renderer'], 'render'>;

/**
 * Renders the page of a missing post once for each reason, which is all it depends on: anyone can
 * ask for any number of posts that do not exist.
 */
export function renderMissingOnce({ render }: PageRenderer): PageRenderer {
  const rendered = new Map<string, ReturnType<typeof render>>();
  return {
    render(path, page) {
      if (page.kind !== 'noPost') return render(path, page);
      const known = rendered.get(page.reason);
      if (known) return known;
      const rendering = render(path, page);
      rendered.set(page.reason, rendering);
      rendering.catch(() => rendered.delete(page.reason));
      return rendering;
    },
  };
}
