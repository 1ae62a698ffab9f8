import {
  type ContactService,
  contactMessage,
  contactMessages,
  contactServices,
} from '@app/contract/forms/contact';
import { limits } from '@app/contract/limits';
import { messages } from '@app/contract/messages';
import { contactForm } from '@app/site/forms/contact';
import { labels } from '@app/site/forms/labels';
import { EmailField } from '../../components/form/EmailField.tsx';
import { Field } from '../../components/form/Field.tsx';
import { FormResult } from '../../components/form/FormResult.tsx';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import type { SavedEntries } from '../../components/form/saved-entries.ts';
import { DeliveryToast } from '../submit/DeliveryToast.tsx';
import { Honeypot } from '../submit/Honeypot.tsx';
import { useSubmission } from '../submit/use-submission.ts';

const serviceNames: Record<ContactService, string> = contactForm.services;

const sent: NoticeText = { tone: 'success', ...contactMessages.sent };
const notStored: NoticeText = { tone: 'danger', ...contactMessages.notStored };
const failed: NoticeText = { tone: 'danger', ...contactMessages.failed };
const invalid: NoticeText = {
  tone: 'danger',
  title: contactMessages.notStored.title,
  description: `${contactMessages.nameRequired}. ${messages.field.emailRequired}. ${contactMessages.messageRequired}.`,
};

const action = '/api/contact';
const texts = { sent, notStored, failed };

interface ContactFormProps {
  saved?: SavedEntries;
}

export const ContactForm = ({ saved }: ContactFormProps) => {
  const { submitted, errors, notice, stop, attributes } = useSubmission({
    action,
    schema: contactMessage,
    texts,
    saved,
    onSent: () => saved && location.replace('/contact#sent'),
  });
  const shared = { errors, saved };

  return (
    <form {...attributes} action={action} method="post">
      <div className="grid gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <Field
            id="contact-name"
            name="name"
            label={labels.fullName}
            max={limits.name}
            {...shared}
          >
            {(control) => <input {...control} required autoComplete="name" />}
          </Field>
          <EmailField id="contact-email" {...shared} />
          <Field
            id="contact-phone"
            name="phone"
            label={contactForm.phone}
            aside={labels.optional}
            max={limits.phone}
            {...shared}
          >
            {(control) => <input {...control} type="tel" autoComplete="tel" />}
          </Field>
          <Field
            id="contact-company"
            name="company"
            label={contactForm.company}
            aside={labels.optional}
            max={limits.company}
            {...shared}
          >
            {(control) => <input {...control} autoComplete="organization" />}
          </Field>
        </div>
        <Field id="contact-service" name="service" label={contactForm.service} {...shared}>
          {(control) => (
            <div className="relative">
              <select {...control} className={`${control.className} appearance-none pr-11`}>
                {contactServices.map((service) => (
                  <option key={service} value={service}>
                    {serviceNames[service]}
                  </option>
                ))}
              </select>
              <svg
                className="pointer-events-none absolute inset-y-0 right-3.5 my-auto size-4 stroke-input stroke-2"
                viewBox="0 0 16 16"
                fill="none"
                strokeLinecap="round"
                strokeLinejoin="round"
                aria-hidden="true"
              >
                <path d="m4 6 4 4 4-4" />
              </svg>
            </div>
          )}
        </Field>
        <Field
          id="contact-message"
          name="message"
          label={labels.message}
          max={limits.message}
          {...shared}
        >
          {(control) => <textarea {...control} rows={5} required />}
        </Field>
        <Honeypot id="contact-homepage" />
        <SubmitButton
          className="button justify-self-start"
          busyLabel={labels.sending}
          isWaiting={notice?.retry !== undefined}
        >
          {contactForm.submit}
        </SubmitButton>
      </div>
      <FormResult submitted={submitted} targets={saved ? {} : { sent, invalid, failed }}>
        <DeliveryToast notice={notice} stop={stop} />
      </FormResult>
    </form>
  );
};
