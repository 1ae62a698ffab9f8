import { company as ours } from '@app/site/company';
import { offers } from '@app/site/offers';
import * as v from 'valibot';
import { ActionButton, Facts, Note, Paragraph, Quote, TextLink } from '../../email/components.tsx';
import { Layout } from '../../email/Layout.tsx';
import { emailLink, phoneLink } from '../../email/links.ts';
import type { NewEmail } from '../../email/outbox.ts';
import { isPersonName } from '../../email/person-name.ts';
import { hostile, owner } from '../../email/samples.ts';
import { template } from '../../email/template.ts';
import { contactNotice, contactReceipt } from './emails.ts';

interface NoticeProps {
  name: string;
  email: string;
  phone: string | null;
  company: string | null;
  about: string;
  message: string;
}

const Notice = ({ name, email, phone, company, about, message }: NoticeProps) => (
  <Layout
    preview={message}
    heading={`Message from ${name}`}
    reason="You received this email because messages from the contact page are sent to you."
  >
    <Facts
      facts={[
        { label: 'Name', value: name },
        { label: 'Email', value: email, href: emailLink(email) },
        ...(phone === null ? [] : [{ label: 'Phone', value: phone, href: phoneLink(phone) }]),
        ...(company === null ? [] : [{ label: 'Company', value: company }]),
        { label: 'About', value: about },
      ]}
    />
    <Quote label="Message">{message}</Quote>
    <Note>{`Reply to this email to write to ${name}.`}</Note>
  </Layout>
);

const { office } = ours.phones;
const { price, length } = offers.consultation;

const Receipt = ({ name }: { name: string }) => (
  <Layout
    preview={`A person reads it and replies ${offers.emailReply}.`}
    heading="We have your message"
    reason={`You received this email because this address was entered on the contact page of ${ours.name}.`}
  >
    <Paragraph>{isPersonName(name) ? `Hello ${name},` : 'Hello,'}</Paragraph>
    <Paragraph>
      {`Thank you for writing. A person reads your message and replies ${offers.emailReply}.`}
    </Paragraph>
    {office && (
      <Paragraph>
        Call us at <TextLink href={office.href}>{office.label}</TextLink> if it can't wait.
      </Paragraph>
    )}
    <Paragraph>{`Would you rather talk? Book a ${price} ${length} session.`}</Paragraph>
    <ActionButton href={ours.bookingUrl}>Book a session</ActionButton>
    <Note>If this wasn't you, ignore this email. You won't get any others.</Note>
  </Layout>
);

export const templates = {
  'contact-notice': template(
    {
      name: v.string(),
      email: v.string(),
      phone: v.nullable(v.string()),
      company: v.nullable(v.string()),
      about: v.string(),
      message: v.string(),
    },
    Notice,
  ),
  'contact-receipt': template({ name: v.string() }, Receipt),
};

const message = {
  name: 'Vera Sanchez',
  email: 'vera@sanchez-plumbing.example',
  phone: '+1 (555) 010-0177',
  company: 'Sanchez & Daughters Plumbing',
  service: 'betty',
  message:
    'Hi,\n\nwe miss about ten calls a week while everybody is under a sink. Can Betty put jobs straight into our calendar, and tell a burst pipe from a dripping tap?\n\nBest after 5 pm.\nVera',
} as const;

const hostileMessage = {
  ...hostile,
  phone: 'after six, please',
  company: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
  service: 'general',
} as const;

export const emailSamples = (): NewEmail[] => [
  contactNotice(message, owner),
  contactNotice(hostileMessage, owner),
  contactReceipt(message),
  contactReceipt(hostileMessage),
];
