import { careerInquiry } from '@app/contract/careers';
import { limits } from '@app/contract/limits';
import { messages } from '@app/contract/messages';
import { type MouseEvent, useRef, useState } from 'react';
import { EmailField } from '../forms/EmailField.tsx';
import { Field } from '../forms/Field.tsx';
import { Notice, type NoticeText } from '../forms/Notice.tsx';
import { Outcome } from '../forms/Outcome.tsx';
import { useForm } from '../forms/use-form.ts';
import { callApi } from '../http/call-api.ts';
import '../components/dialog.css';

const { nameTooShort, messageTooShort, ...texts } = messages.careers;
const sent: NoticeText = { tone: 'good', title: texts.sent };
const notStored: NoticeText = { tone: 'alarm', title: texts.notStored };
const failed: NoticeText = { tone: 'alarm', title: texts.failed };
const invalid: NoticeText = {
  ...notStored,
  description: `${nameTooShort} ${messages.field.emailInvalid} ${texts.resumeLinkInvalid} ${messageTooShort}`,
};

/**
 * The button and the dialog behind it. Without a script the dialog opens as a popover,
 * and the notices stand outside of it: after the reload it is closed. With one it is
 * modal, so that neither a click beside it nor the Tab key leaves what is half written.
 */
export const CareerInquiry = () => {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isSent, setIsSent] = useState(false);
  const [failure, setFailure] = useState<NoticeText | null>(null);

  const { tried, busy, errors, attributes } = useForm({
    schema: careerInquiry,
    send: async (inquiry, form) => {
      setFailure(null);
      const reply = await callApi('POST', '/api/careers', inquiry);
      if (reply.ok) {
        form.reset();
        dialog.current?.close();
        setIsSent(true);
        return [];
      }
      if (reply.problem?.issues) return reply.problem.issues;
      setFailure(reply.problem ? notStored : failed);
      return [];
    },
  });

  const open = (event: MouseEvent) => {
    event.preventDefault();
    setIsSent(false);
    dialog.current?.showModal();
  };

  return (
    <>
      <button className="button" type="button" popoverTarget="career-inquiry" onClick={open}>
        Send Your Resume
      </button>
      <Outcome tried={tried} targets={{ sent, invalid, failed }}>
        {isSent && <Notice {...sent} />}
      </Outcome>
      <dialog
        ref={dialog}
        id="career-inquiry"
        className="dialog inquiry"
        popover="auto"
        aria-labelledby="career-inquiry-heading"
      >
        <form {...attributes} action="/api/careers" method="post" className="grid gap-5">
          <div className="inquiry-top">
            <h2 className="text-title" id="career-inquiry-heading">
              Send Your Resume
            </h2>
            <button
              className="inquiry-close"
              type="button"
              aria-label="Close"
              popoverTarget="career-inquiry"
              popoverTargetAction="hide"
              onClick={() => dialog.current?.close()}
            >
              <svg viewBox="0 0 16 16" aria-hidden="true">
                <path d="m3 3 10 10M13 3 3 13" />
              </svg>
            </button>
          </div>
          <Field id="career-name" name="name" label="Full Name" errors={errors}>
            {(control) => (
              <input
                {...control}
                required
                minLength={limits.inquiryNameMin}
                maxLength={limits.name}
                autoComplete="name"
              />
            )}
          </Field>
          <EmailField id="career-email" errors={errors} />
          <Field
            id="career-resume"
            name="resumeLink"
            label="Resume link"
            aside="(optional)"
            errors={errors}
          >
            {(control) => (
              <input {...control} type="url" maxLength={limits.url} placeholder="https://" />
            )}
          </Field>
          <Field id="career-message" name="message" label="Message" errors={errors}>
            {(control) => (
              <textarea
                {...control}
                rows={5}
                required
                minLength={limits.inquiryMessageMin}
                maxLength={limits.message}
              />
            )}
          </Field>
          <div>
            <button className="button w-full" type="submit" disabled={busy}>
              {busy ? 'Sending...' : 'Send Inquiry'}
            </button>
            <div className="outcome" aria-live="polite">
              {failure && <Notice {...failure} />}
            </div>
          </div>
        </form>
      </dialog>
    </>
  );
};
