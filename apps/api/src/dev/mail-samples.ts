import { googleLinkedMail } from '../accounts/google/emails.ts';
import {
  accountDeletedMail,
  addressTakenMail,
  emailChangeRequestedMail,
  passwordChangedMail,
} from '../accounts/settings/emails.ts';
import {
  alreadyRegisteredMail,
  confirmationMail,
  emailChangedMail,
  emailChangeMail,
  passwordResetMail,
  signUpAgainMail,
} from '../accounts/sign-in/emails.ts';
import { drawn } from '../email/letter.ts';
import type { NewMail } from '../email/outbox.ts';
import { careerNotice } from '../forms/careers/emails.ts';
import { contactNotice, contactReceipt } from '../forms/contact/emails.ts';
import { newsletterConfirmationMail, welcomeMail } from '../forms/newsletter/emails.ts';

/** As long as real ones: 256 bits in base64url. */
const token = 'Vq3mT8bK0sYp5dZ1rXo7LfWc2NhGjE9uAaBvCtDiQk4';
const ann = 'ann.miller@example.com';
const owner = 'owner@example.com';

const message = {
  name: 'Vera Sanchez',
  email: 'vera@sanchez-plumbing.example',
  phone: '+1 (555) 010-0177',
  company: 'Sanchez & Daughters Plumbing',
  service: 'betty',
  message:
    'Hi,\n\nwe miss about ten calls a week while everybody is under a sink. Can Betty put jobs straight into our calendar, and tell a burst pipe from a dripping tap?\n\nBest after 5 pm.\nVera',
} as const;

/** What somebody could write to see the mail break. */
const unruly = {
  name: 'Maximiliana-Alexandra von und zu Hohenlohe-Waldenburg-Schillingsfürst <script>alert(1)</script>\nEmail: boss@example.com',
  email:
    'a.very.long.address.that.nobody.would.type.by.hand@subdomain.of.a.long.domain.example.com',
  phone: 'after six, please',
  company: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
  service: 'general',
  message: `"Quoted" & <b>bold</b>\n${'loooooooooooong'.repeat(12)}\nhttps://example.org/${'path/'.repeat(30)}?a=1&b=2\n\n水漏れ 🔧 – Größe: ½"`,
} as const;

export type MailSample = ReturnType<typeof drawn<NewMail>>;

/**
 * Every mail that the product sends, with made-up contents, by the name of the function that
 * writes it. A new one belongs here: its preview and the tests of all mails come with it.
 */
export const mailSamples = (publicUrl: string): Readonly<Record<string, readonly MailSample[]>> =>
  Object.fromEntries(
    Object.entries(written(publicUrl)).map(([name, mails]) => [name, mails.map(drawn)]),
  );

const written = (publicUrl: string): Readonly<Record<string, readonly NewMail[]>> => ({
  confirmationMail: [confirmationMail(ann, publicUrl, token)],
  alreadyRegisteredMail: [alreadyRegisteredMail(ann, publicUrl)],
  signUpAgainMail: [signUpAgainMail(ann, publicUrl)],
  emailChangeMail: [emailChangeMail(ann, `${publicUrl}/auth/change-email?token=${token}`, 24)],
  emailChangeRequestedMail: [
    emailChangeRequestedMail(
      ann,
      {
        newEmail: 'ann@new-home.example',
        cancelLink: `${publicUrl}/auth/cancel-email-change?token=${token}`,
      },
      24,
    ),
  ],
  passwordResetMail: [passwordResetMail(ann, `${publicUrl}/auth/reset?token=${token}`, 1)],
  emailChangedMail: [emailChangedMail(ann, 'ann@new-home.example')],
  addressTakenMail: [addressTakenMail(ann, publicUrl)],
  passwordChangedMail: [passwordChangedMail(ann, publicUrl)],
  accountDeletedMail: [accountDeletedMail(ann, 'keep'), accountDeletedMail(ann, 'delete')],
  googleLinkedMail: [googleLinkedMail(ann, publicUrl)],
  newsletterConfirmationMail: [newsletterConfirmationMail(ann, publicUrl, token)],
  welcomeMail: [welcomeMail(ann, publicUrl, token)],
  contactNotice: [contactNotice(message, owner), contactNotice(unruly, owner)],
  contactReceipt: [contactReceipt(message), contactReceipt(unruly)],
  careerNotice: [
    careerNotice(
      {
        name: 'Jo Maker',
        email: 'jo@example.com',
        resumeLink: 'https://jo.example/resume',
        message: 'I build voice agents, and I grew up in a heating company.\n\nShall we talk?',
      },
      owner,
    ),
    careerNotice({ ...unruly, resumeLink: `https://jo.example/${'resume-'.repeat(40)}` }, owner),
  ],
});
