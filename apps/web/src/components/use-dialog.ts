import { type MouseEvent, type SyntheticEvent, useEffect, useRef, useState } from 'react';

interface DialogOptions {
  /** Required for a dialog that opens as a popover until it is hydrated. */
  id?: string;
  isBusy?: boolean;
  onOpen?: () => void;
  onClose?: () => void;
}

/**
 * A modal dialog that closes on a click outside, unless the click started inside, as it does when
 * selecting text. Safari does not support `closedby="any"`. The browser focuses the control with
 * `autofocus`, or else the first one (HTML, dialog focusing steps).
 */
export const useDialog = ({ id, isBusy = false, onOpen, onClose }: DialogOptions) => {
  const ref = useRef<HTMLDialogElement>(null);
  const isPressedOutside = useRef(false);
  const [isOpen, setOpen] = useState(false);

  const close = () => ref.current?.close();
  const open = () => {
    ref.current?.showModal();
    setOpen(true);
  };

  // Becomes modal if it was opened before hydration. Its text and the focus stay.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only on hydration
  useEffect(() => {
    const dialog = ref.current;
    if (!id || !dialog?.showPopover || !dialog.matches(':popover-open')) return;
    const focused = document.activeElement;
    dialog.hidePopover();
    onOpen?.();
    open();
    if (focused instanceof HTMLElement && dialog.contains(focused)) {
      focused.focus({ preventScroll: true });
    }
  }, []);

  const opener = {
    type: 'button' as const,
    popoverTarget: id,
    onClick: (event: MouseEvent) => {
      event.preventDefault();
      onOpen?.();
      open();
    },
  };
  const closer = {
    type: 'button' as const,
    popoverTarget: id,
    popoverTargetAction: 'hide' as const,
    disabled: isBusy,
    onClick: close,
  };
  const attributes = {
    ref,
    ...(id && { id, popover: 'auto' as const }),
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
  return { isOpen, open, close, opener, closer, attributes };
};

/** Events on the backdrop have the dialog itself as their target. */
const isOutside = ({ target, currentTarget, clientX: x, clientY: y }: MouseEvent): boolean => {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  return target === currentTarget && (x < left || x > right || y < top || y > bottom);
};
