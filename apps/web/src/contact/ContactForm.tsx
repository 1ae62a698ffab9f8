import { type ContactService, contactMessage, contactServices } from '@app/contract/contact';
import { limits } from '@app/contract/limits';
import { messages } from '@app/contract/messages';
import { useState } from 'react';
import { EmailField } from '../forms/EmailField.tsx';
import { Field } from '../forms/Field.tsx';
import { Notice, type NoticeText } from '../forms/Notice.tsx';
import { Outcome } from '../forms/Outcome.tsx';
import { useForm } from '../forms/use-form.ts';
import { callApi, unreachable } from '../http/call-api.ts';
import './select.css';

const serviceNames: Record<ContactService, string> = {
  general: 'General question',
  betty: 'Betty AI Assistant',
  custom: 'Custom AI Solutions',
  website: 'Website Redesign',
  demo: 'A demo',
};

const sent: NoticeText = { tone: 'good', ...messages.contact.sent };
const notStored: NoticeText = { tone: 'alarm', ...messages.contact.notStored };
const failed: NoticeText = { tone: 'alarm', ...messages.contact.failed };
const invalid: NoticeText = {
  tone: 'alarm',
  title: messages.contact.notStored.title,
  description: `${messages.field.nameRequired}. ${messages.field.emailRequired}. ${messages.field.messageRequired}.`,
};

export const ContactForm = () => {
  const [outcome, setOutcome] = useState<NoticeText | null>(null);

  const { tried, busy, errors, attributes } = useForm({
    schema: contactMessage,
    send: async (message, form) => {
      setOutcome(null);
      const reply = await callApi('POST', '/api/contact', message);
      if (reply.ok) {
        form.reset();
        setOutcome(sent);
        return [];
      }
      if (reply.problem?.issues) return reply.problem.issues;
      setOutcome(reply.problem ? notStored : { ...failed, description: unreachable });
      return [];
    },
  });

  return (
    <form {...attributes} action="/api/contact" method="post">
      <div className="grid gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <Field id="contact-name" name="name" label="Full Name" errors={errors}>
            {(control) => (
              <input {...control} required maxLength={limits.name} autoComplete="name" />
            )}
          </Field>
          <EmailField id="contact-email" errors={errors} />
          <Field id="contact-phone" name="phone" label="Phone" aside="(optional)" errors={errors}>
            {(control) => (
              <input {...control} type="tel" maxLength={limits.phone} autoComplete="tel" />
            )}
          </Field>
          <Field
            id="contact-company"
            name="company"
            label="Company"
            aside="(optional)"
            errors={errors}
          >
            {(control) => (
              <input {...control} maxLength={limits.company} autoComplete="organization" />
            )}
          </Field>
        </div>
        <Field id="contact-service" name="service" label="What is it about?" errors={errors}>
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
        <Field id="contact-message" name="message" label="Message" errors={errors}>
          {(control) => <textarea {...control} rows={5} required maxLength={limits.message} />}
        </Field>
        <button className="button justify-self-start" type="submit" disabled={busy}>
          {busy ? 'Sending...' : 'Send message'}
        </button>
      </div>
      <Outcome tried={tried} targets={{ sent, invalid, failed }}>
        {outcome && <Notice {...outcome} />}
      </Outcome>
    </form>
  );
};
