import { fetchSession } from '../accounts/menu/fetch-session.ts';
import { type KnownAccount, recallAccount } from '../accounts/menu/remembered-account.ts';
import { elementOf } from './element-of.ts';

/**
 * Disables the controls of posts that the signed-in user cannot change. Uses the remembered account
 * until the session is known. The API refuses what it overlooks.
 */
export const disableOthersControls = async (
  controls: HTMLElement,
  authorId: string,
): Promise<void> => {
  controls.addEventListener('click', ignoreDisabled, { capture: true });
  const remembered = recallAccount();
  if (remembered) setDisabled(controls, !mayChange(remembered, authorId));
  const reply = await fetchSession();
  if (reply.ok && reply.value.user) setDisabled(controls, !mayChange(reply.value.user, authorId));
};

const mayChange = ({ id, isStaff = true }: KnownAccount, authorId: string): boolean =>
  isStaff || id === authorId;

/** The controls can still be focused, so that screen readers and keyboards find the reason. */
const setDisabled = (controls: HTMLElement, isDisabled: boolean): void => {
  const reason = elementOf(controls, '[data-reason]');
  reason.hidden = !isDisabled;
  for (const control of controls.querySelectorAll(':scope > :is(a, button)')) {
    control.ariaDisabled = isDisabled ? 'true' : null;
    const others = control.getAttribute('aria-describedby')?.replace(reason.id, '').trim() ?? '';
    const described = isDisabled ? `${others} ${reason.id}`.trim() : others;
    if (described === '') control.removeAttribute('aria-describedby');
    else control.setAttribute('aria-describedby', described);
  }
};

const ignoreDisabled = (event: Event): void => {
  if (!(event.target as Element).closest('[aria-disabled="true"]')) return;
  event.preventDefault();
  event.stopPropagation();
};
