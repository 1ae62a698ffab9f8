/** The tab's own storage: another tab is not to say it. */
const key = 'toast';

/** How long it lies over the page, in milliseconds. */
const duration = 10_000;

export interface ToastText {
  /** `good` where not given. */
  tone?: 'good' | 'amber' | 'alarm';
  title: string;
  description?: string;
  /** What else there is to know: why it failed, or what is still to come. */
  detail?: string;
  link?: { href: string; label: string };
}

/** One lies over the page at a time. */
let shown: HTMLElement | undefined;

/** Keeps what is to be said on the page that comes next. */
export const queueToast = (text: ToastText): void => {
  try {
    sessionStorage.setItem(key, JSON.stringify(text));
  } catch {
    // A browser that keeps nothing for the site: the next page shows well enough what came of it.
  }
};

/** Says what the page before left to say, once. */
export const showQueuedToast = (): void => {
  const text = takeToast();
  if (text) showToast(text);
};

/** Says what came of something: as forms/Toast.tsx does, but without React. */
export const showToast = (text: ToastText): void => void present(text);

const present = async ({
  tone = 'good',
  title,
  description,
  detail,
  link,
}: ToastText): Promise<void> => {
  await deferredStyles();

  const region = document.createElement('div');
  region.role = tone === 'alarm' ? 'alert' : 'status';
  shown?.remove();
  shown = region;
  document.body.append(region);
  const toast = document.createElement('div');
  toast.className = tone === 'good' ? 'notice toast' : `notice notice-${tone} toast`;
  toast.popover = 'manual';
  toast.append(paragraph(title, 'weight-600'));
  for (const text of [description, detail]) if (text) toast.append(paragraph(text));
  if (link) {
    const anchor = document.createElement('a');
    anchor.className = 'link';
    anchor.href = link.href;
    anchor.textContent = link.label;
    const line = paragraph('');
    line.append(anchor);
    toast.append(line);
  }

  const remove = () => region.remove();
  const dismiss = document.createElement('button');
  dismiss.className = 'toast-dismiss';
  dismiss.type = 'button';
  dismiss.ariaLabel = 'Dismiss';
  dismiss.innerHTML =
    '<svg viewBox="0 0 16 16" aria-hidden="true"><path d="m3 3 10 10M13 3 3 13"/></svg>';
  dismiss.addEventListener('click', remove);
  toast.append(dismiss);

  // It stays while somebody is at it.
  let timer = setTimeout(remove, duration);
  const hold = () => clearTimeout(timer);
  const release = () => {
    hold();
    timer = setTimeout(remove, duration);
  };
  toast.addEventListener('pointerenter', hold);
  toast.addEventListener('focusin', hold);
  toast.addEventListener('pointerleave', release);
  toast.addEventListener('focusout', release);

  // A live region says what comes into it, not what it comes with.
  requestAnimationFrame(() => {
    // Another one has taken its place meanwhile.
    if (!region.isConnected) return;
    region.append(toast);
    toast.showPopover?.();
  });
};

const takeToast = (): ToastText | null => {
  try {
    const stored = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    return stored === null ? null : (JSON.parse(stored) as ToastText);
  } catch {
    return null;
  }
};

const paragraph = (text: string, className = ''): HTMLElement => {
  const element = document.createElement('p');
  element.className = className;
  element.textContent = text;
  return element;
};

/** Resolves when styles/deferred.css is there, which holds the looks of toasts (see head/first-paint.ts). */
const deferredStyles = async (): Promise<void> => {
  const find = () => document.querySelector<HTMLLinkElement>('head > link[rel="stylesheet"]');
  const link =
    find() ??
    (await new Promise<HTMLLinkElement>((resolve) => {
      new MutationObserver((_, observer) => {
        const found = find();
        if (!found) return;
        observer.disconnect();
        resolve(found);
      }).observe(document.head, { childList: true });
    }));
  if (link.sheet) return;
  await new Promise((resolve) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', resolve);
  });
};
