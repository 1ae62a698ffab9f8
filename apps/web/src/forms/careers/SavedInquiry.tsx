import { DeliveryToast } from '../submit/DeliveryToast.tsx';
import type { FormAgain } from '../submit/saved-entries.ts';
import { InquiryForm } from './InquiryForm.tsx';
import { useInquiry } from './use-inquiry.ts';

/** The inquiry on a page of its own, with what was typed before; then it leads where it does without scripts. */
export const InquiryAgain = ({ again }: { again: FormAgain }) => {
  const inquiry = useInquiry(() => location.replace('/careers#sent'), again);
  return (
    <InquiryForm inquiry={inquiry} again={again}>
      <DeliveryToast notice={inquiry.notice} stop={inquiry.stop} />
    </InquiryForm>
  );
};
