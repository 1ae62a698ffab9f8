import { company } from '../company.ts';
import { type LegalDocument, legalDate } from '../legal.ts';
import { offers } from '../offers.ts';
import { mailTo } from '../text.ts';

/**
 * Says what this software does with what people tell it, and nothing else: whoever
 * changes what is stored, logged or handed on changes this text too. What an adopter
 * adds around it (a proxy that logs addresses, a mail provider abroad) belongs in here.
 */
export const privacy: LegalDocument = {
  title: 'Privacy Policy',
  description: `What ${company.name} learns about you on this site, what it is used for, how it is kept and how to have it deleted.`,
  path: '/privacy-policy',
  lead: 'We keep what you send us and use it to answer you. We do not sell it. If you only read, the site asks for nothing and sets no cookie.',
  updated: legalDate,
  sections: [
    {
      id: 'introduction',
      heading: 'Introduction',
      blocks: [
        `${company.name} (“we”, “us”) runs the website at ${company.domain}. This policy says what the site learns about you when you read it, write to us, subscribe to the newsletter, send a career inquiry or make an account, and what we do with it.`,
        'You can read every public page without telling us who you are. There is no analytics on this site, no advertising and no tracking of any kind.',
        'The policy covers this website. It does not cover phone calls, nor the work we do for customers. Ask us about those before you call or hire us, if it matters to you.',
      ],
    },
    {
      id: 'information-we-collect',
      heading: 'Information we collect',
      blocks: [
        { subheading: 'What you give us' },
        {
          facts: [
            [
              'Contact form',
              'Your name, your email address, your message and what it is about. Your phone number and company too, if you fill them in.',
            ],
            [
              'Newsletter',
              'Your email address, when you asked for the newsletter, when you confirmed that and when you ended it. Anybody can type your address into the form, so we first ask you by email, and send nothing else until you confirm.',
            ],
            [
              'Career inquiry',
              'Your name, your email address and your message. A link to your resume too, if you add one.',
            ],
            [
              'Account',
              'Your email address, when you signed up and when you confirmed it, and a hash of your password. The password itself is never stored.',
            ],
            [
              'Sign-in with Google',
              'If you use it: the number by which Google knows your account. When it makes your account here, your email address and your name are taken over too. We ask Google for nothing else and can see nothing of your Google account. The secrets of a visit there are deleted when you are back, or within two hours. How many visits begin at your IP address is counted for ten minutes.',
            ],
            ['Profile', 'Your username, your full name and your picture, if you add them.'],
            [
              'Blog posts',
              'What you write, with your account as its author. Drafts are not public. A published post is, together with the name and the picture in your profile.',
            ],
          ],
        },
        { subheading: 'What the site notes by itself' },
        {
          facts: [
            [
              'Sessions',
              'While you are signed in: when your session began and when it ends. Of its id we store only a hash.',
            ],
            [
              'Emails',
              'A copy of each email the site sends, be it to you or to us about your message, and whether it was delivered. The secret in its link is taken out as soon as it is sent, and all of it is deleted 30 days later.',
            ],
            [
              'Lost addresses',
              'If our email provider reports that email to your address came back for good, or that you marked it as spam: the address, the reason and when. Nothing is sent there any more.',
            ],
            [
              'Limits',
              'When you send a form or sign in: your IP address, or the part of it that names your line, with how much came from there, for an hour; and as long, how often somebody tried a password for an email address, or asked for a link to be mailed there. It keeps machines from flooding us. How many receipts went to an email address is counted for a day.',
            ],
            [
              'What was sent',
              'A hash of each thing you send, for 30 days, so that nothing is taken twice. If you use the site without scripts and a form had a mistake: what you typed, for an hour, to show it to you again.',
            ],
            [
              'Server log',
              'For requests that change something or fail: the time, the address asked for, the outcome and how long it took. Whatever follows a question mark in the address is left out. So are your IP address and the name of your browser.',
            ],
          ],
        },
        [
          'What is kept in your own browser is listed in our ',
          { label: 'Cookie Policy', href: '/cookies' },
          '.',
        ],
      ],
    },
    {
      id: 'how-we-use-information',
      heading: 'How we use information',
      blocks: [
        {
          list: [
            `To answer you. Emails get a reply ${offers.emailReply}.`,
            'To send the newsletter to those who confirmed that they want it, until they unsubscribe. Each one has a link for that.',
            'To consider your career inquiry.',
            'To confirm that an email address is yours, and to let you in when you sign in.',
            'To publish the posts you choose to publish, under your name.',
            'To find out what went wrong when something on the site fails.',
          ],
        },
        'We do not sell what you send us, and we do not use it for advertising. The site hands none of it to an AI model.',
        'An email provider delivers the emails that the site sends, so it handles the addresses and the contents of those emails. If you sign in with Google, Google learns that you have come from here. The site passes your information to nobody else. What you publish on the blog, everybody can read.',
        'A link that confirms an account works for 24 hours, one to choose a new password for one hour, one that confirms a newsletter subscription for 48. An address that was not confirmed for the newsletter is deleted 30 days after we last asked. If you unsubscribe, we keep the address with a note of that, so that the links in earlier newsletters go on working. A session ends 30 days after you last prolonged it by using the site, and is then deleted. Everything else is kept until it is no longer needed or until you ask us to delete it.',
      ],
    },
    {
      id: 'security',
      heading: 'Security',
      blocks: [
        'What we keep is protected in these ways, among others:',
        {
          list: [
            'Passwords are stored only as argon2id hashes. Nobody here can read yours.',
            'Session ids and, once an email is sent, the secrets in its links are stored only as SHA-256 hashes, so a stolen copy of the database lets nobody sign in as you. The one exception can do nothing but unsubscribe you from the newsletter.',
            'On the public site, the sign-in cookies travel over encrypted connections only. Scripts cannot read the one that matters.',
            'Pages run the site’s own scripts and refuse all others. Changes are accepted from this site’s own pages only, but for the unsubscribe button of your mail program and the signed reports of our email provider.',
            'Whether an email address has an account here is not revealed to people who try it out.',
          ],
        },
        [
          'No system is perfectly secure. If you find a weakness in ours, please write to ',
          mailTo(company.mailboxes.privacy),
          ' before you tell anybody else.',
        ],
      ],
    },
    {
      id: 'contact',
      heading: 'Contact us',
      blocks: [
        [
          'Write to ',
          mailTo(company.mailboxes.privacy),
          ' if you want to know what we keep about you, to have it corrected, or to have it deleted. Please write from the address that it is about, so that we know it is yours.',
        ],
        `You can change your profile yourself once you are signed in. For everything else an email is enough, and you get a reply ${offers.emailReply}.`,
        'When this policy changes, so does the date at its top.',
      ],
    },
  ],
};
