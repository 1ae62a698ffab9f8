import { buildOrigin } from '@app/contract/pages';
import { llms } from '@app/site/pages/llms';
import type { APIRoute } from 'astro';
import { textResponse } from '../head/text-response.ts';

/** llmstxt.org */
export const GET: APIRoute = () =>
  textResponse([
    `# ${llms.title}`,
    '',
    `> ${llms.summary}`,
    '',
    ...llms.facts.map((fact) => `- ${fact}`),
    ...llms.sections.flatMap(({ heading, links }) => [
      '',
      `## ${heading}`,
      '',
      ...links.map(({ label, path, about }) => `- [${label}](${buildOrigin}${path}): ${about}`),
    ]),
  ]);
