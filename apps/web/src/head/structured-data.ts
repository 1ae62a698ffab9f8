import { buildOrigin } from '@app/contract/pages';
import { company } from '@app/site/company';
import type { Question } from '@app/site/questions';

/** A node of a JSON-LD graph, in the vocabulary of schema.org. */
export type Thing = Readonly<Record<string, unknown>> & { readonly '@type': string };

interface Crumb {
  name: string;
  /** The page's path: /services */
  path: string;
}

/**
 * The structured data of a page: where in the site it lies and what it has to say.
 * Who the company is and which site this is stands on the home page, which has no
 * crumb; the others refer to it.
 */
export const graphOf = (origin: string, crumb: Crumb | null, things: readonly Thing[]): string => {
  const graph = crumb ? [breadcrumbs(origin, crumb)] : [organization(origin), webSite(origin)];
  // `<` would end the script element that holds it.
  return JSON.stringify({
    '@context': 'https://schema.org',
    '@graph': [...graph, ...things],
  }).replaceAll('<', '\\u003c');
};

const organization = (origin: string): Thing => ({
  '@type': 'Organization',
  '@id': `${origin}/#organization`,
  name: company.name,
  url: `${origin}/`,
  logo: `${origin}/icon-512.png`,
  description: company.summary,
  email: company.mailboxes.hello,
  telephone: company.phones.office.href.replace('tel:', ''),
  foundingDate: String(company.founded),
  sameAs: company.social.map(({ href }) => href),
});

const webSite = (origin: string): Thing => ({
  '@type': 'WebSite',
  '@id': `${origin}/#website`,
  name: company.name,
  url: `${origin}/`,
  publisher: { '@id': `${origin}/#organization` },
});

const breadcrumbs = (origin: string, page: Crumb): Thing => {
  const crumbs = [{ name: 'Home', path: '/' }];
  if (page.path.startsWith('/blog/')) crumbs.push({ name: 'Blog', path: '/blog' });
  crumbs.push(page);
  return {
    '@type': 'BreadcrumbList',
    itemListElement: crumbs.map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: `${origin}${path}`,
    })),
  };
};

/** The questions that a page answers. */
export const faqPage = (questions: readonly Question[]): Thing => ({
  '@type': 'FAQPage',
  mainEntity: questions.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: answer },
  })),
});

interface ServiceFacts {
  name: string;
  description: string;
  /** Where on the site it is described: /services#betty */
  path: string;
  /** In US dollars, as digits: 2499 */
  price?: string;
}

/** Something the company sells. */
export const service = ({ name, description, path, price }: ServiceFacts): Thing => ({
  '@type': 'Service',
  name,
  description,
  url: `${buildOrigin}${path}`,
  provider: { '@id': `${buildOrigin}/#organization` },
  ...(price && { offers: { '@type': 'Offer', price, priceCurrency: 'USD' } }),
});

interface Posting {
  title: string;
  excerpt: string;
  /** The post's full address. */
  address: string;
  /** The full address of a picture of it. */
  image: string | null;
  /** ISO 8601 in UTC. */
  createdAt: string;
  updatedAt: string;
  /** Their name, or the company's. */
  author: string;
}

/** A post of the blog. */
export const blogPosting = (origin: string, post: Posting): Thing => ({
  '@type': 'BlogPosting',
  headline: post.title,
  description: post.excerpt,
  url: post.address,
  ...(post.image && { image: post.image }),
  datePublished: post.createdAt,
  dateModified: post.updatedAt,
  author:
    post.author === company.name
      ? { '@id': `${origin}/#organization` }
      : { '@type': 'Person', name: post.author },
  publisher: { '@id': `${origin}/#organization` },
});
