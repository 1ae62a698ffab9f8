import { expect, test } from 'vitest';
import { faqPage, graphOf } from './structured-data.ts';

const questions = [{ question: 'Who answers?', answer: 'Betty, </script> or not' }];

test.each([
  ['the home page', null, ['Organization', 'WebSite', 'FAQPage']],
  ['any other page', { name: 'About', path: '/about' }, ['BreadcrumbList', 'FAQPage']],
])('every node of the graph of %s has a type', (_page, crumb, types) => {
  const text = graphOf('https://a.example', crumb, [faqPage(questions)]);
  expect(text).not.toContain('<');
  const { '@context': context, '@graph': graph } = JSON.parse(text);
  expect(context).toBe('https://schema.org');
  expect(graph.map((node: Record<string, unknown>) => node['@type'])).toEqual(types);
});
