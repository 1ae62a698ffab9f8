import type { ComponentProps, ReactNode } from 'react';
import { useFormStatus } from 'react-dom';

interface SubmitButtonProps extends ComponentProps<'button'> {
  busyLabel?: ReactNode;
  /** Whether the form is waiting to be sent again. */
  isWaiting?: boolean;
}

export const SubmitButton = ({
  busyLabel,
  isWaiting = false,
  disabled = false,
  children,
  ...attributes
}: SubmitButtonProps) => {
  const isBusy = useFormStatus().pending || isWaiting;
  return (
    <button {...attributes} type="submit" disabled={isBusy || disabled}>
      {isBusy ? (busyLabel ?? children) : children}
    </button>
  );
};
