import { problems } from '@app/contract/problems';
import { html, raw } from 'hono/html';
import { type OpenApiDocument, operationsOf } from './document.ts';
import { problemExplanations } from './problem-explanations.ts';

const page = (title: string, styles: string, body: unknown) => html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${title}</title>
    <link rel="icon" href="/favicon.ico">
    <link rel="stylesheet" href="/api/docs/assets/${styles}">
  </head>
  <body>${body}</body>
</html>
`;

export function docsPage(document: OpenApiDocument) {
  const { info } = document;
  return page(
    info.title,
    'docs.css',
    html`
    <main>
      <h1>${info.title}</h1>
      <p>
        <a href="/api/openapi.json">OpenAPI document</a> ·
        <a href="/api/docs/reference">Interactive reference</a> (needs JavaScript) ·
        <a href="#problems">Problem codes</a>
      </p>
      <p>${info.description}</p>
      <h2 id="endpoints">Endpoints</h2>
      <ul class="endpoints">
        ${operationsOf(document).map(
          ({ method, path, operation }) =>
            html`<li><code>${method} ${path}</code> ${operation.summary}</li>`,
        )}
      </ul>
      <h2 id="problems">Problem codes</h2>
      <p>The <code>type</code> of every error links to its explanation here.</p>
      <dl>
        ${Object.entries(problemExplanations).map(
          ([code, explanation]) => html`
          <dt id="${code}"><code>${code}</code> ${problems[code as keyof typeof problems].status}</dt>
          <dd>${explanation}</dd>`,
        )}
      </dl>
    </main>`,
  );
}

/** Swagger UI, which loads its script only here. */
export const referencePage = ({ info }: OpenApiDocument) =>
  page(
    info.title,
    'swagger-ui.css',
    raw(`
    <p><a href="/api/docs">All endpoints and problem codes</a></p>
    <div id="reference"></div>
    <script src="/api/docs/assets/swagger-ui-bundle.js"></script>
    <script src="/api/docs/assets/reference.js"></script>
  `),
  );

export const docsStyles = `
:root { color-scheme: light dark; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: light-dark(#15211e, #f1ede3); background: light-dark(#fbf7ef, #0d1413); }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 6rem; }
a { color: light-dark(#0f5140, #8fd8b8); }
code { font-size: .9375em; overflow-wrap: anywhere; }
h2 { margin-top: 2.5rem; }
.endpoints { list-style: none; padding: 0; }
.endpoints li { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 1rem; padding: .25rem 0; border-bottom: 1px solid light-dark(#e4dccb, #25312e); }
dt { margin-top: 1rem; padding-inline-start: .75rem; border-inline-start: 3px solid transparent; font-weight: 700; scroll-margin-top: 2rem; }
dt:target { border-color: currentcolor; }
dd { margin: 0; padding-inline-start: calc(.75rem + 3px); }
@media (max-width: 40rem) { .endpoints li { grid-template-columns: 1fr; } }
`;

/** Turns off the validator on Swagger's website. */
export const referenceScript = `
SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#reference', deepLinking: true, validatorUrl: null });
`;
