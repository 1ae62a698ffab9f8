import { messages } from '@app/contract/messages';
import { Toast } from '../../components/form/Toast.tsx';
import type { DeliveryNotice } from './use-delivery.ts';

interface DeliveryToastProps {
  notice: DeliveryNotice | null;
  /** Ends the waiting. */
  stop: () => void;
  /** Of its text. */
  id?: string;
}

/** What came of a form, or that it still waits. */
export const DeliveryToast = ({ notice, stop, id }: DeliveryToastProps) => {
  if (!notice) return null;
  const { isWaiting, ...text } = notice;
  // A new text is a new toast.
  return (
    <Toast key={`${text.title} ${text.description} ${text.aside}`} id={id} {...text}>
      {isWaiting && (
        <button className="button button-quiet button-small mt-3" type="button" onClick={stop}>
          {messages.forms.stopWaiting}
        </button>
      )}
    </Toast>
  );
};
