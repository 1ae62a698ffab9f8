import { queueFormsUntilHydrated } from './before-hydration.ts';
import { restoreDrafts } from './restore-drafts.ts';

// Prerendered pages wait until they are shown, because restoring can send a draft, which may have
// changed since. Reading storage blocks on another process, so it happens after the first frame.
if (document.prerendering) {
  const restore = () => requestAnimationFrame(() => setTimeout(restoreDrafts));
  document.addEventListener('prerenderingchange', restore, { once: true });
} else {
  restoreDrafts();
}
queueFormsUntilHydrated();
