import { company } from '../company.ts';
import { type LegalDocument, legalDate } from '../legal.ts';
import { offers } from '../offers.ts';
import { mailTo } from '../text.ts';

/** Lists what the software really sets; a browser test compares it with a browser. */
export const cookies: LegalDocument = {
  title: 'Cookie Policy',
  description: `Which cookies ${company.name} sets, what each one is for, how long it stays and how to get rid of it. There are two, and both come with signing in.`,
  path: '/cookies',
  lead: 'Reading this site sets no cookie. Signing in sets two, and neither follows you anywhere.',
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
                'signed_in',
                'Cookie, functionality',
                'Holds a 1, so that pages show you the controls of signed-in people at once. It opens nothing.',
                'As long as the session',
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
                'Keeps what you typed into a form and have not sent, so that a reload does not lose it.',
                'Until it is sent, or the tab is closed',
              ],
            ],
          },
        },
        { subheading: 'Essential' },
        'Without the session cookie you could not stay signed in from one page to the next. It is set when you sign in or confirm your email address, and only then.',
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
        'Signing out removes both cookies. Your browser’s settings let you see, delete and block cookies and such storage, for this site or for all of them.',
        'With everything blocked you can still read every public page and send every form. You cannot sign in, and the theme follows your device.',
        'There is no cookie banner, because the site keeps nothing but what it needs to do what you asked for.',
      ],
    },
    {
      id: 'third-party-cookies',
      heading: 'Third-party cookies',
      blocks: [
        'We let nobody else set cookies here. Fonts, styles and scripts come from our own address.',
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
