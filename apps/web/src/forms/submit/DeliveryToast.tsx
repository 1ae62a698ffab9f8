import { messages } from '@app/contract/messages';
import { Toast } from '../../components/form/Toast.tsx';
import type { DeliveryNotice } from './use-delivery.ts';

interface DeliveryToastProps {
  notice: DeliveryNotice | null;
  stop: () => void;
  id?: string;
}

export const DeliveryToast = ({ notice, stop, id }: DeliveryToastProps) => {
  if (!notice) return null;
  const { retry, ...text } = notice;
  return (
    // The key stays the same while the form waits, so that retries are not announced.
    <Toast key={`${text.title} ${text.description} ${retry ? '' : text.aside}`} id={id} {...text}>
      {retry && (
        <button className="button button-outline button-sm mt-3" type="button" onClick={stop}>
          {messages.forms.stopWaiting}
        </button>
      )}
    </Toast>
  );
};
