import { limits } from '@app/contract/limits';
import { careerForm } from '@app/site/forms/careers';
import { labels } from '@app/site/forms/labels';
import type { ReactNode } from 'react';
import { EmailField } from '../../components/form/EmailField.tsx';
import { Field } from '../../components/form/Field.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import type { SavedEntries } from '../../components/form/saved-entries.ts';
import { Honeypot } from '../submit/Honeypot.tsx';
import type { useInquiry } from './use-inquiry.ts';

interface InquiryFormProps {
  inquiry: ReturnType<typeof useInquiry>;
  saved?: SavedEntries;
  heading?: ReactNode;
  children?: ReactNode;
}

export const InquiryForm = ({ inquiry, saved, heading, children }: InquiryFormProps) => {
  const { notice, errors, attributes } = inquiry;
  const shared = { errors, saved };

  return (
    <form {...attributes} action="/api/careers" method="post" className="grid gap-5">
      {heading}
      <Field
        id="career-name"
        name="name"
        label={labels.fullName}
        max={limits.name}
        autoFocus
        {...shared}
      >
        {(control) => (
          <input {...control} required minLength={limits.inquiryNameMin} autoComplete="name" />
        )}
      </Field>
      <EmailField id="career-email" {...shared} />
      <Field
        id="career-resumeLink"
        name="resumeLink"
        label={careerForm.resumeLink}
        aside={labels.optional}
        max={limits.url}
        {...shared}
      >
        {(control) => <input {...control} type="url" placeholder="https://" />}
      </Field>
      <Field
        id="career-message"
        name="message"
        label={labels.message}
        max={limits.message}
        {...shared}
      >
        {(control) => (
          <textarea {...control} rows={5} required minLength={limits.inquiryMessageMin} />
        )}
      </Field>
      <Honeypot id="career-homepage" />
      <div>
        <SubmitButton
          className="button w-full"
          busyLabel={labels.sending}
          isWaiting={notice?.retry !== undefined}
        >
          {careerForm.submit}
        </SubmitButton>
        <div className="*:mt-5" aria-live="polite" data-outcome>
          {children}
        </div>
      </div>
    </form>
  );
};
