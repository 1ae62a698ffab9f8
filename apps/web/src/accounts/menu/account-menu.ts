import { accountMenu } from '@app/site/accounts/menu';
import { adoptStyles } from '../../components/adopt-styles.ts';
import { showQueuedToast } from '../../components/toast-after-redirect.ts';
import { isSignedIn } from '../../http/call-api.ts';
import styles from './account-menu.css?inline';
import { fetchSession, refetchSession } from './fetch-session.ts';
import { type KnownAccount, recallAccount } from './remembered-account.ts';
import { signOut } from './sign-out.ts';

/** Turns the header's avatar link into a menu button (ARIA practices, menu button pattern). */
export const addAccountMenu = (): void => {
  // Also for signed-out visitors, because pages load this script when a toast is queued.
  showQueuedToast();
  const link = document.querySelector<HTMLAnchorElement>('a#account-avatar');
  if (!link) return;
  adoptStyles(styles);

  const name = element('p', 'account-name');
  const username = element('p', 'account-username');
  name.dir = username.dir = 'auto';
  const profile = item(element('a', 'menu-item'), accountMenu.profile);
  profile.href = link.href;
  if (location.pathname === profile.pathname) profile.ariaCurrent = 'page';
  const logOut = item(element('button', 'menu-item'), accountMenu.logOut);
  logOut.type = 'button';
  const items = element('div', 'account-items');
  items.role = 'menu';
  items.ariaLabel = link.ariaLabel;
  items.append(profile, logOut);

  const menu = element('div', 'account-menu menu');
  menu.id = 'account-menu';
  menu.popover = 'auto';
  menu.append(name, username, items);

  const button = element('button', link.className);
  button.id = link.id;
  button.type = 'button';
  button.ariaLabel = link.ariaLabel;
  button.ariaHasPopup = 'menu';
  button.setAttribute('popovertarget', menu.id);

  const showNames = () => {
    const account = recallAccount();
    name.textContent = account && nameOf(account);
    username.textContent = account && otherNameOf(account);
  };
  addEventListener('storage', showNames);
  showNames();

  const hadFocus = document.activeElement === link;
  link.replaceWith(button, menu);
  if (hadFocus) button.focus();

  button.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    menu.showPopover({ source: button });
    (event.key === 'ArrowDown' ? profile : logOut).focus();
  });
  items.addEventListener('keydown', (event) => {
    const next = itemAfter(items, event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  menu.addEventListener('toggle', ({ newState }) => {
    if (newState === 'open' && !items.contains(document.activeElement)) profile.focus();
  });
  logOut.addEventListener('click', async () => {
    logOut.disabled = true;
    try {
      await signOut();
    } finally {
      logOut.disabled = false;
      menu.hidePopover();
    }
  });

  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && isSignedIn()) refetchSession();
  });
  const load = () => void fetchSession();
  // Only urgent if no account is remembered.
  if (recallAccount() && 'requestIdleCallback' in window) requestIdleCallback(load);
  else if (isSignedIn()) load();
};

const nameOf = ({ fullName, email }: KnownAccount): string => fullName ?? email;

/** The username, unless it equals the full name (spec §2). */
const otherNameOf = ({ username, fullName }: KnownAccount): string =>
  username && username !== fullName ? username : '';

const element = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
): HTMLElementTagNameMap[Name] => Object.assign(document.createElement(name), { className });

const item = <Item extends HTMLElement>(control: Item, label: string): Item => {
  control.role = 'menuitem';
  control.tabIndex = -1;
  control.textContent = label;
  return control;
};

const itemAfter = (items: HTMLElement, key: string): HTMLElement | undefined => {
  const all = [...items.querySelectorAll<HTMLElement>('[role="menuitem"]')];
  const current = all.indexOf(document.activeElement as HTMLElement);
  switch (key) {
    case 'ArrowDown':
      return all[(current + 1) % all.length];
    case 'ArrowUp':
      return all.at(current - 1);
    case 'Home':
      return all[0];
    case 'End':
      return all.at(-1);
    default:
      return undefined;
  }
};
