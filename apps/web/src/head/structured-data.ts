import { plainExcerpt } from '@app/contract/blog/plain-excerpt';
import { buildOrigin } from '@app/contract/pages';
import { company } from '@app/site/company';
import { breadcrumbs as words } from '@app/site/navigation';
import type { Price } from '@app/site/price';
import type { Question } from '@app/site/questions';

const { office } = company.phones;

/** A node of a JSON-LD graph with a schema.org type. */
export type SchemaNode = Readonly<Record<string, unknown>> & { readonly '@type': string };

interface Crumb {
  name: string;
  path: string;
}

/**
 * The structured data of a page. The home page, which has no crumb, describes the company and the
 * site. Other pages refer to these nodes.
 */
export const graphOf = (
  origin: string,
  crumb: Crumb | null,
  nodes: readonly SchemaNode[],
): string => {
  const graph = crumb ? [breadcrumbs(origin, crumb)] : [organization(origin), webSite(origin)];
  // `</script>` would end the element.
  return JSON.stringify({
    '@context': 'https://schema.org',
    '@graph': [...graph, ...nodes],
  }).replaceAll('<', '\\u003c');
};

const organization = (origin: string): SchemaNode => ({
  '@type': 'Organization',
  '@id': `${origin}/#organization`,
  name: company.name,
  url: `${origin}/`,
  logo: `${origin}/icon-512.png`,
  description: company.summary,
  email: company.mailboxes.hello,
  ...(office && { telephone: office.href.replace('tel:', '') }),
  foundingDate: String(company.founded),
  sameAs: company.social.map(({ href }) => href),
});

const webSite = (origin: string): SchemaNode => ({
  '@type': 'WebSite',
  '@id': `${origin}/#website`,
  name: company.name,
  url: `${origin}/`,
  publisher: { '@id': `${origin}/#organization` },
});

const breadcrumbs = (origin: string, page: Crumb): SchemaNode => {
  const crumbs: Crumb[] = [{ name: words.home, path: '/' }];
  if (page.path.startsWith('/blog/')) crumbs.push({ name: words.blog, path: '/blog' });
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

export const faqPage = (questions: readonly Question[]): SchemaNode => ({
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
  path: string;
  price?: Price;
}

export const service = ({ name, description, path, price }: ServiceFacts): SchemaNode => ({
  '@type': 'Service',
  name,
  description,
  url: `${buildOrigin}${path}`,
  provider: { '@id': `${buildOrigin}/#organization` },
  ...(price && {
    offers: { '@type': 'Offer', price: price.amount, priceCurrency: price.currency },
  }),
});

interface Posting {
  title: string;
  excerpt: string;
  url: string;
  /** Absolute URL. */
  image: string | null;
  /** ISO 8601 in UTC. */
  createdAt: string;
  updatedAt: string;
  author: string;
  keywords: readonly string[];
}

export const blogPosting = (origin: string, post: Posting): SchemaNode => ({
  '@type': 'BlogPosting',
  headline: post.title,
  description: plainExcerpt(post.excerpt),
  url: post.url,
  ...(post.image && { image: post.image }),
  datePublished: post.createdAt,
  dateModified: post.updatedAt,
  ...(post.keywords.length > 0 && { keywords: post.keywords }),
  author:
    post.author === company.name
      ? { '@id': `${origin}/#organization` }
      : { '@type': 'Person', name: post.author },
  publisher: { '@id': `${origin}/#organization` },
});
