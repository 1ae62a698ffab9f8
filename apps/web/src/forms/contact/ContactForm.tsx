import { type ContactService, contactMessage, contactServices } from '@app/contract/forms/contact';
import { limits } from '@app/contract/limits';
import { messages } from '@app/contract/messages';
import { EmailField } from '../../components/form/EmailField.tsx';
import { Field } from '../../components/form/Field.tsx';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { Outcome } from '../../components/form/Outcome.tsx';
import { DeliveryToast } from '../submit/DeliveryToast.tsx';
import { Honeypot } from '../submit/Honeypot.tsx';
import type { FormAgain } from '../submit/saved-entries.ts';
import { useSubmission } from '../submit/use-submission.ts';
import './select.css';

const serviceNames: Record<ContactService, string> = messages.contact.services;

const sent: NoticeText = { tone: 'good', ...messages.contact.sent };
const notStored: NoticeText = { tone: 'alarm', ...messages.contact.notStored };
const failed: NoticeText = { tone: 'alarm', ...messages.contact.failed };
const invalid: NoticeText = {
  tone: 'alarm',
  title: messages.contact.notStored.title,
  description: `${messages.field.nameRequired}. ${messages.field.emailRequired}. ${messages.field.messageRequired}.`,
};

const action = '/api/contact';
const texts = {
  sent,
  notStored,
  failed: { ...failed, description: messages.forms.unreachableTyped },
};

interface ContactFormProps {
  /** What was typed into it before, on the page that shows it again. */
  again?: FormAgain;
}

export const ContactForm = ({ again }: ContactFormProps) => {
  const { tried, busy, errors, notice, stop, attributes } = useSubmission({
    action,
    schema: contactMessage,
    texts,
    again,
    // Where it leads without scripts, too.
    onSent: () => again && location.replace('/contact#sent'),
  });
  const shared = { errors, again };

  return (
    <form {...attributes} action={action} method="post">
      <div className="grid gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <Field id="contact-name" name="name" label="Full Name" most={limits.name} {...shared}>
            {(control) => <input {...control} required autoComplete="name" />}
          </Field>
          <EmailField id="contact-email" {...shared} />
          <Field
            id="contact-phone"
            name="phone"
            label="Phone"
            aside="(optional)"
            most={limits.phone}
            {...shared}
          >
            {(control) => <input {...control} type="tel" autoComplete="tel" />}
          </Field>
          <Field
            id="contact-company"
            name="company"
            label="Company"
            aside="(optional)"
            most={limits.company}
            {...shared}
          >
            {(control) => <input {...control} autoComplete="organization" />}
          </Field>
        </div>
        <Field id="contact-service" name="service" label="What is it about?" {...shared}>
          {(control) => (
            <select {...control}>
              {contactServices.map((service) => (
                <option key={service} value={service}>
                  {serviceNames[service]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field
          id="contact-message"
          name="message"
          label="Message"
          most={limits.message}
          {...shared}
        >
          {(control) => <textarea {...control} rows={5} required />}
        </Field>
        <Honeypot id="contact-homepage" />
        <button className="button justify-self-start" type="submit" disabled={busy}>
          {busy ? 'Sending...' : 'Send message'}
        </button>
      </div>
      <Outcome tried={tried} targets={again ? {} : { sent, invalid, failed }}>
        <DeliveryToast notice={notice} stop={stop} />
      </Outcome>
    </form>
  );
};
