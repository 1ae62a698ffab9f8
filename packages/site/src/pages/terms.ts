import { company } from '../company.ts';
import { type LegalDocument, legalDate } from '../legal.ts';
import { offers } from '../offers.ts';
import { mailTo } from '../text.ts';

export const terms: LegalDocument = {
  title: 'Terms of Service',
  description: `The terms for using the website of ${company.name}: who owns what, what you tell us by using it, and what we are liable for.`,
  path: '/terms',
  lead: 'Read the site, share it, write on its blog. What you write stays yours, and you answer for it. We keep the site in good order, without a guarantee.',
  updated: legalDate,
  sections: [
    {
      id: 'agreement',
      heading: 'Agreement to these terms',
      blocks: [
        `These terms are an agreement between you and ${company.name} (“we”, “us”) about your use of the website at ${company.domain}. By using the site you accept them. If you do not agree, please do not use it.`,
        'They cover the website alone. When you hire us, what we agree with you about that work is what counts. The prices and timelines on the site describe our offers, and are not part of these terms.',
        'We may change these terms. The date at the top says when they last changed, and what you do on the site after that day falls under the new version.',
        [
          'What the site learns about you is described in the ',
          { label: 'Privacy Policy', href: '/privacy-policy' },
          ' and the ',
          { label: 'Cookie Policy', href: '/cookies' },
          '.',
        ],
      ],
    },
    {
      id: 'intellectual-property',
      heading: 'Intellectual property',
      blocks: [
        `The texts, the drawings and the design of this site, and the name and the mark of ${company.name}, belong to us or to those who let us use them.`,
        'You are welcome to read and print the pages, to link to any of them, and to quote from them when you name the source. Please do not republish whole pages as your own, and do not use our name or mark as if we stood behind something that is not ours.',
        'What you write on the blog stays yours. By publishing it here you allow us to show it on this site and in its feed, with your name, for as long as it is published. Other people who may write on the blog can edit, unpublish and delete published posts, yours included.',
      ],
    },
    {
      id: 'user-representations',
      heading: 'User representations',
      blocks: [
        'By using the site you tell us that:',
        {
          list: [
            'you are old enough to make an agreement like this one where you live;',
            'what you send through our forms is true, and you are free to send it;',
            'the email address you sign up with is your own;',
            'you keep your password to yourself, and tell us if somebody else may know it;',
            'what you publish is yours or used with permission, breaks no law and harms nobody;',
            'you do not use the site to send spam, to get at other people’s accounts, to get around its limits or to overload it.',
          ],
        },
        'We may remove what goes against these terms, and close the account it came from.',
      ],
    },
    {
      id: 'limitation-of-liability',
      heading: 'Limitation of liability',
      blocks: [
        'The site is provided as it is. We work to keep it correct and reachable, but we do not promise that it is free of errors or that it is there at every moment.',
        'What you read here, the blog included, is general information. Figures about past work say what happened then. They do not promise the same to you.',
        'As far as the law allows, we are not liable for indirect or consequential loss that comes from using the site or from not being able to use it, such as lost profit, lost business, missed calls or lost data.',
        'Some links lead to websites that are not ours. What happens there is up to those who run them.',
        'Nothing in these terms limits a liability that cannot be limited by law.',
      ],
    },
    {
      id: 'contact',
      heading: 'Contact us',
      blocks: [
        [
          'Questions about these terms, and notices under them, go to ',
          mailTo(company.mailboxes.legal),
          `. Emails get a reply ${offers.emailReply}.`,
        ],
      ],
    },
  ],
};
