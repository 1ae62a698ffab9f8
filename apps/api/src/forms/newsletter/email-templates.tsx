import { company } from '@app/site/company';
import { newsletter } from '@app/site/forms/newsletter';
import * as v from 'valibot';
import { ActionButton, Note, NoteLink, Paragraph } from '../../email/components.tsx';
import { Layout } from '../../email/Layout.tsx';
import type { NewEmail } from '../../email/outbox.ts';
import { ann, sampleToken } from '../../email/samples.ts';
import { template } from '../../email/template.ts';
import { newsletterConfirmationEmail, welcomeEmail } from './emails.ts';

const NewsletterConfirmation = ({ link }: { link: string }) => (
  <Layout
    preview="One click, and you're on the list. The link works for 48 hours."
    heading="Confirm your subscription"
    reason={`You received this email because this address was entered in the newsletter form of ${company.name}.`}
  >
    <Paragraph>
      {`Someone, probably you, asked for our newsletter at this email address. It covers what we learn about ${newsletter.topic}.`}
    </Paragraph>
    <Paragraph>Click the button to subscribe. The link works for 48 hours.</Paragraph>
    <ActionButton href={link}>Confirm subscription</ActionButton>
    <Note>
      If this wasn't you, ignore this email. You won't be subscribed without your confirmation.
    </Note>
  </Layout>
);

interface WelcomeProps {
  blogLink: string;
  unsubscribeLink: string;
}

const Welcome = ({ blogLink, unsubscribeLink }: WelcomeProps) => (
  <Layout
    preview="Thank you for subscribing. Your address is confirmed."
    heading="You're subscribed"
    reason="You received this email because you confirmed your subscription."
  >
    <Paragraph>Thank you for subscribing. Your address is confirmed.</Paragraph>
    <Paragraph>
      {`What you can expect: what we learn about ${newsletter.topic}, when it's worth your time, and nothing else.`}
    </Paragraph>
    <Paragraph>Questions? Reply to this email. A person reads it.</Paragraph>
    <ActionButton href={blogLink}>Read the blog</ActionButton>
    <Note>
      You can unsubscribe at any time. <NoteLink href={unsubscribeLink}>Unsubscribe</NoteLink>
    </Note>
  </Layout>
);

export const templates = {
  'newsletter-confirmation': template({ link: v.string() }, NewsletterConfirmation),
  'newsletter-welcome': template({ blogLink: v.string(), unsubscribeLink: v.string() }, Welcome),
};

export const emailSamples = (publicUrl: string): NewEmail[] => [
  newsletterConfirmationEmail(ann, publicUrl, sampleToken),
  welcomeEmail(ann, publicUrl, sampleToken),
];
