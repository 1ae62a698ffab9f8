import { type MouseEvent, type SyntheticEvent, useRef, useState } from 'react';

interface DialogOptions {
  /** Stays open while something in it is underway. */
  isBusy?: boolean;
  onClose?: () => void;
}

/**
 * A modal dialog: its first field has the focus, and a click outside closes it as Escape does. A
 * press that begins inside, to select text, does not. `closedby="any"` would do without the script,
 * but Safari does not have it.
 */
export const useDialog = ({ isBusy = false, onClose }: DialogOptions = {}) => {
  const ref = useRef<HTMLDialogElement>(null);
  const isPressedOutside = useRef(false);
  const [isOpen, setOpen] = useState(false);

  const close = () => ref.current?.close();
  const open = () => {
    ref.current?.showModal();
    ref.current?.querySelector<HTMLElement>(firstField)?.focus();
    setOpen(true);
  };

  const attributes = {
    ref,
    onPointerDown: (event: MouseEvent<HTMLDialogElement>) => {
      isPressedOutside.current = isOutside(event);
    },
    onClick: (event: MouseEvent<HTMLDialogElement>) => {
      if (isPressedOutside.current && isOutside(event) && !isBusy) close();
    },
    onCancel: (event: SyntheticEvent) => {
      if (isBusy) event.preventDefault();
    },
    onClose: () => {
      setOpen(false);
      onClose?.();
    },
  };
  return { isOpen, open, close, attributes };
};

const firstField = ':is(input:not([type="hidden"], [hidden], [tabindex="-1"]), select, textarea)';

/** The backdrop's events have the dialog itself as their target. */
const isOutside = ({ target, currentTarget, clientX: x, clientY: y }: MouseEvent): boolean => {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  return target === currentTarget && (x < left || x > right || y < top || y > bottom);
};
