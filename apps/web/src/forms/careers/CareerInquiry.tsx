import { careerMessages } from '@app/contract/forms/careers';
import { messages } from '@app/contract/messages';
import { careerForm } from '@app/site/forms/careers';
import { labels } from '@app/site/forms/labels';
import { FormResult } from '../../components/form/FormResult.tsx';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { useDialog } from '../../components/use-dialog.ts';
import { DeliveryToast } from '../submit/DeliveryToast.tsx';
import { InquiryForm } from './InquiryForm.tsx';
import { failed, notStored, sent, useInquiry } from './use-inquiry.ts';

const { nameTooShort, messageTooShort, resumeLinkInvalid } = careerMessages;
const invalid: NoticeText = {
  ...notStored,
  description: `${nameTooShort} ${messages.field.emailInvalid} ${resumeLinkInvalid} ${messageTooShort}`,
};

/**
 * The Send Your Resume button and its dialog, which opens as a popover without JavaScript. Notices
 * are outside the dialog, which is closed after a reload. Closing it keeps the entries.
 */
export const CareerInquiry = () => {
  const { isOpen, close, opener, closer, attributes } = useDialog({
    id: 'career-inquiry',
    onOpen: () => {
      if (notice?.tone === 'success') show(null);
    },
  });
  const inquiry = useInquiry(close);
  const { submitted, notice, show, stop } = inquiry;

  // While the dialog is closed, toasts are shown next to the button.
  const isInside = isOpen || notice?.tone === 'danger';
  const toast = <DeliveryToast notice={notice} stop={stop} />;

  return (
    <>
      <button className="button" {...opener}>
        {careerForm.heading}
      </button>
      <FormResult submitted={submitted} targets={{ sent, invalid, failed }}>
        {!isInside && toast}
      </FormResult>
      <dialog
        {...attributes}
        className="dialog max-h-[calc(100dvh-2rem)] w-[min(100%-2rem,525px)] overflow-auto p-[clamp(1.25rem,5vw,2rem)]"
        aria-labelledby="career-inquiry-heading"
      >
        <InquiryForm
          inquiry={inquiry}
          heading={
            <div className="flex items-center justify-between gap-4">
              <h2 className="text-title" id="career-inquiry-heading">
                {careerForm.heading}
              </h2>
              <button className="-m-3 p-3" aria-label={labels.close} {...closer}>
                <svg
                  className="size-5 stroke-current stroke-2"
                  viewBox="0 0 16 16"
                  strokeLinecap="round"
                  aria-hidden="true"
                >
                  <path d="m3 3 10 10M13 3 3 13" />
                </svg>
              </button>
            </div>
          }
        >
          {isInside && toast}
        </InquiryForm>
      </dialog>
    </>
  );
};
