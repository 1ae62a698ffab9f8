import { queueFormsUntilHydrated } from './before-hydration.ts';
import { restoreDrafts } from './restore-drafts.ts';

// A draft may be sent on from here, and may have changed since the page was prerendered. The read
// waits for the browser's process: after the first frame.
if (document.prerendering) {
  const restore = () => requestAnimationFrame(() => setTimeout(restoreDrafts));
  document.addEventListener('prerenderingchange', restore, { once: true });
} else {
  restoreDrafts();
}
queueFormsUntilHydrated();
