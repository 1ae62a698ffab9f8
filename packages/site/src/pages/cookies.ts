import { company } from '../company.ts';
import { type LegalDocument, legalDate } from '../legal.ts';
import { offers } from '../offers.ts';
import { mailTo } from '../text.ts';

/** Lists what the software really sets; a browser test compares it with a browser. */
export const cookies: LegalDocument = {
  title: 'Cookie Policy',
  description: `Which cookies ${company.name} sets, what each one is for, how long it stays and how to get rid of it. All of them come with signing in.`,
  path: '/cookies',
  lead: 'Reading this site sets no cookie. Signing in does, and none of those cookies follows you anywhere.',
  updated: legalDate,
  sections: [
    {
      id: 'what-cookies-are',
      heading: 'What cookies are',
      blocks: [
        'A cookie is a short text that a website asks your browser to keep. The browser sends it back with every request to that website, so that the site knows you again.',
        'Local storage is a second such place, and session storage a third, which ends with the tab. What lies there stays in your browser and is sent to nobody. This policy covers all of them.',
      ],
    },
    {
      id: 'how-we-use-cookies',
      heading: 'How we use cookies',
      blocks: [
        'Here is everything that the site keeps in your browser:',
        {
          table: {
            caption: 'What this site keeps in your browser',
            columns: ['Name', 'Kind', 'What it does', 'How long it stays'],
            rows: [
              [
                '__Host-session',
                'Cookie, essential',
                'Keeps you signed in. Scripts cannot read it.',
                '30 days, prolonged while you use the site; until you sign out',
              ],
              [
                '__Host-device',
                'Cookie, essential',
                'Shows that you signed in with this browser before, so that you get in even while somebody guesses at your password. It signs nobody in, and scripts cannot read it.',
                'A year from your last sign-in',
              ],
              [
                'signed_in',
                'Cookie, functionality',
                'Holds a 1, so that pages show you the controls of signed-in people at once. It opens nothing.',
                'As long as the session',
              ],
              [
                '__Host-google-state',
                'Cookie, essential',
                'While you are at Google to sign in: shows that it is you who comes back. Scripts cannot read it.',
                '10 minutes; until you are back',
              ],
              [
                '__Host-google-link',
                'Cookie, essential',
                'When you come from Google with the address of an account that has a password: connects the two once you sign in with that. Scripts cannot read it.',
                '10 minutes; until you sign in',
              ],
              [
                'account',
                'Local storage, essential',
                'Your email address, your names and your picture in small, so that the top of each page shows who is signed in at once.',
                'Until you sign out',
              ],
              [
                'theme',
                'Local storage, functionality',
                'Remembers whether you chose light, dark or system.',
                'Until you clear it',
              ],
              [
                'draft:…',
                'Session storage, functionality',
                'Keeps what you typed into a form and have not sent, so that a reload does not lose it; and when you subscribed to the newsletter, so that the form can tell you when its email is sent again.',
                'Until it is sent, or the tab is closed',
              ],
              [
                'toast',
                'Session storage, functionality',
                'What is left to say when you go to another page, such as that you are signed in.',
                'Until it is said, at once',
              ],
            ],
          },
        },
        { subheading: 'Essential' },
        'Without the session cookie you could not stay signed in from one page to the next. It is set when you sign in or confirm your email address, and only then. So is the device cookie, which stays when you sign out: your next sign-in is what it is for. The two for Google are set if you sign in with Google, and only then.',
        { subheading: 'Functionality' },
        'These make the site more pleasant and nothing more. Your theme is stored once you choose one, with the lamp at the top of the page, and a draft once you type.',
        { subheading: 'Analytics' },
        'None. We do not count your visits, and no analytics service runs on this site.',
        { subheading: 'Marketing' },
        'None. No cookie here serves advertising, and none follows you to other websites.',
      ],
    },
    {
      id: 'managing-cookies',
      heading: 'Managing cookies',
      blocks: [
        'Signing out removes the session cookie, the one that says you are signed in, and what is kept of your account. Your browser’s settings let you see, delete and block cookies and such storage, for this site or for all of them.',
        'With everything blocked you can still read every public page and send every form. You cannot sign in, and the theme follows your device.',
        'There is no cookie banner, because the site keeps nothing but what it needs to do what you asked for.',
      ],
    },
    {
      id: 'third-party-cookies',
      heading: 'Third-party cookies',
      blocks: [
        'We let nobody else set cookies here. Fonts, styles and scripts come from our own address.',
        'If you choose to sign in with Google, you leave for Google’s own pages. Its cookies and its policy apply there.',
        'There is one case in which your browser may ask another website for something: the authors of blog posts can use a picture that lies elsewhere. The website it lies on then sees a request from your browser, as it would if you visited it.',
        'Our booking calendar and our profiles on other services are only linked. Their own policies apply once you follow a link.',
      ],
    },
    {
      id: 'contact',
      heading: 'Contact us',
      blocks: [
        [
          'Questions about cookies go to ',
          mailTo(company.mailboxes.privacy),
          `. Emails get a reply ${offers.emailReply}. What else we keep about you is in the `,
          { label: 'Privacy Policy', href: '/privacy-policy' },
          '.',
        ],
      ],
    },
  ],
};
