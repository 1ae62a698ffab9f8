import type { SavedEntries } from '../../components/form/saved-entries.ts';
import { DeliveryToast } from '../submit/DeliveryToast.tsx';
import { InquiryForm } from './InquiryForm.tsx';
import { useInquiry } from './use-inquiry.ts';

export const SavedInquiry = ({ saved }: { saved: SavedEntries }) => {
  const inquiry = useInquiry(() => location.replace('/careers#sent'), saved);
  return (
    <InquiryForm inquiry={inquiry} saved={saved}>
      <DeliveryToast notice={inquiry.notice} stop={inquiry.stop} />
    </InquiryForm>
  );
};
