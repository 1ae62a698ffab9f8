/** `path` can have a fragment: /services#betty. */
interface NavigationLink {
  readonly label: string;
  readonly path: string;
}

interface NavigationGroup {
  readonly label: string;
  readonly links: readonly NavigationLink[];
}

export const services: NavigationGroup = {
  label: 'Services',
  links: [
    { label: 'All Services', path: '/services' },
    { label: 'Betty AI Assistant', path: '/services#betty' },
    { label: 'Custom AI Solutions', path: '/services#custom-ai' },
    { label: 'Website Redesigns', path: '/services#website-redesign' },
    { label: 'Technical Recruiting', path: '/technical-recruiting' },
  ],
};

/** Labels of parent pages in search results. */
export const breadcrumbs = { home: 'Home', blog: 'Blog' } as const;

/** After the Services menu. */
export const header: readonly NavigationLink[] = [
  { label: 'Technical Recruiting', path: '/technical-recruiting' },
  { label: 'About us', path: '/about' },
  { label: 'Portfolio', path: '/portfolio' },
  { label: 'Blog', path: '/blog' },
  { label: 'Contact', path: '/contact' },
];

/** A fourth column shows the contact details. */
export const footerColumns: readonly NavigationGroup[] = [
  {
    label: 'Company',
    links: [
      { label: 'Home', path: '/' },
      { label: 'About us', path: '/about' },
      { label: 'Services', path: '/services' },
      { label: 'Technical Recruiting', path: '/technical-recruiting' },
      { label: 'Portfolio', path: '/portfolio' },
    ],
  },
  {
    label: 'Resources',
    links: [
      { label: 'Blog', path: '/blog' },
      { label: 'All posts', path: '/blog/archive' },
      { label: 'Questions and answers', path: '/services#questions' },
    ],
  },
  {
    label: 'Legal',
    links: [
      { label: 'Privacy Policy', path: '/privacy-policy' },
      { label: 'Terms of Service', path: '/terms' },
      { label: 'Cookie Policy', path: '/cookies' },
    ],
  },
];

/** The last line, next to the copyright. */
export const footerLine: readonly NavigationLink[] = [
  { label: 'Sitemap', path: '/sitemap' },
  { label: 'Accessibility', path: '/accessibility' },
  { label: 'Careers', path: '/careers' },
];
