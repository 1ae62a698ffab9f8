import { floatToast } from './float-toast.ts';
import { focusHeading } from './focus-heading.ts';

/** Key in sessionStorage, so that other tabs do not show the toast. */
const key = 'toast';

export interface ToastText {
  tone?: 'success' | 'warning' | 'danger';
  title: string;
  description?: string;
  detail?: string;
  link?: { href: string; label: string };
  /** Restores a post. trash/restore.ts handles it. @property undo the id of the post */
  button?: { label: string; undo: string };
  /** Stays until the state at this API path is not 'pending', then becomes another toast. */
  follow?: { path: string; then: ToastText };
}

let shown: HTMLElement | undefined;
/** The element that had the focus before a toast received it. */
let focusedBefore: HTMLElement | undefined;

/** Shows a toast on the next page of this tab. */
export const queueToast = (text: ToastText): void => {
  try {
    sessionStorage.setItem(key, JSON.stringify(text));
  } catch {
    // Without storage there is no toast. The next page shows the result anyway.
  }
};

export const showQueuedToast = (): void => {
  const text = takeToast();
  if (text) showToast(text);
};

/** Like components/form/Toast.tsx, but the toast disappears afterwards. */
export const showToast = (text: ToastText): void => void present(text);

const present = async ({
  tone = 'success',
  title,
  description,
  detail,
  link,
  button,
  follow,
}: ToastText): Promise<void> => {
  await deferredStyles();

  const region = document.createElement('div');
  region.role = tone === 'danger' ? 'alert' : 'status';
  const hadFocus = shown?.contains(document.activeElement);
  shown?.remove();
  shown = region;
  document.body.append(region);
  const toast = document.createElement('div');
  toast.className = tone === 'success' ? 'notice toast' : `notice notice-${tone} toast`;
  toast.append(paragraph(title, 'font-semibold'));
  if (description) toast.append(paragraph(description));
  if (detail) toast.append(paragraph(detail, 'toast-detail'));
  if (link) {
    const anchor = document.createElement('a');
    anchor.className = 'link';
    anchor.href = link.href;
    anchor.textContent = link.label;
    const line = paragraph('');
    line.append(anchor);
    toast.append(line);
  }

  if (button) {
    const element = document.createElement('button');
    element.type = 'button';
    element.className = 'button button-outline button-sm';
    element.textContent = button.label;
    element.dataset['undo'] = button.undo;
    const line = paragraph('', 'toast-action');
    line.append(element);
    toast.append(line);
  }

  toast.addEventListener('focusin', ({ relatedTarget }) => {
    if (relatedTarget instanceof HTMLElement && !toast.contains(relatedTarget)) {
      focusedBefore = relatedTarget;
    }
  });
  if (follow) void replaceWhenSettled(region, follow);

  // Screen readers announce only additions to an existing live region.
  requestAnimationFrame(() => {
    if (!region.isConnected) return;
    region.append(toast);
    floatToast(toast, {
      stays: follow !== undefined,
      onEnd: () => region.remove(),
      onDismiss: () => {
        region.remove();
        if (focusedBefore?.isConnected) focusedBefore.focus({ preventScroll: true });
        else focusHeading();
      },
    });
    if (hadFocus)
      toast.querySelector<HTMLElement>('.toast-dismiss')?.focus({ preventScroll: true });
  });
};

const replaceWhenSettled = async (
  region: HTMLElement,
  { path, then }: Required<ToastText>['follow'],
): Promise<void> => {
  const { whenSettled } = await import('./when-settled.ts');
  if (await whenSettled(path, () => region.isConnected)) showToast(then);
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

/** Resolves once styles/deferred.css, which styles toasts, is loaded (see head/head-script.ts). */
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
