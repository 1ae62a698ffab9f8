import { expect, test } from 'vitest';
import { faqPage, graphOf, service } from './structured-data.ts';

const questions = [{ question: 'Who answers?', answer: 'Betty, </script> or not' }];

test.each([
  ['the home page', null, ['Organization', 'WebSite', 'FAQPage']],
  ['any other page', { name: 'About', path: '/about' }, ['BreadcrumbList', 'FAQPage']],
])('describes %s with typed nodes', (_page, crumb, types) => {
  const text = graphOf('https://a.example', crumb, [faqPage(questions)]);
  expect(text).not.toContain('<');
  const { '@context': context, '@graph': graph } = JSON.parse(text);
  expect(context).toBe('https://schema.org');
  expect(graph.map((node: Record<string, unknown>) => node['@type'])).toEqual(types);
});

test('an offer has a numeric price and a currency', () => {
  const redesign = { name: 'Redesign', description: 'A new website.', path: '/services#redesign' };
  const price = { amount: 1999.5, currency: 'EUR' };
  expect(service({ ...redesign, price })['offers']).toEqual({
    '@type': 'Offer',
    price: 1999.5,
    priceCurrency: 'EUR',
  });
  expect(service(redesign)).not.toHaveProperty('offers');
});
