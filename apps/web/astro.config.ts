import { buildOrigin } from '@app/contract/pages';
import react from '@astrojs/react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, passthroughImageService } from 'astro/config';
import { cards } from './cards/cards.ts';
import { fonts } from './fonts.ts';
import { bundleInline, inlineScript } from './head/inline-script.ts';
import { speculationRules } from './head/speculation-rules.ts';
import { directives } from './hydration/directives.ts';
import { processor } from './markdown/processor.ts';
import { sitePages } from './navigation/site-pages.ts';
import { renderer } from './renderer/adapter.ts';

// Only `astro dev` asks the API; a build never reaches for the network.
const apiUrl = process.env['API_URL'] ?? 'http://localhost:4322';

const headScript = await bundleInline(new URL('src/head/head-script.ts', import.meta.url));
const rules = inlineScript(JSON.stringify(speculationRules));

export default defineConfig({
  site: buildOrigin,
  output: 'static',
  trailingSlash: 'never',
  // The default trims spaces at line ends as JSX does, also between two words.
  compressHTML: true,
  build: { format: 'file', inlineStylesheets: 'always' },
  security: {
    csp: {
      directives: [
        "default-src 'self'",
        // A post's cover and a profile's picture may live anywhere.
        "img-src 'self' data: https: http:",
        "base-uri 'none'",
        "object-src 'none'",
        "form-action 'self'",
      ],
      scriptDirective: { hashes: [headScript.hash, rules.hash] },
    },
  },
  // Shiki colors with style attributes, which the policy refuses.
  markdown: { processor, syntaxHighlight: false },
  // No picture is processed; without this the renderer carries sharp, which finds no native half there.
  image: { service: passthroughImageService() },
  fonts,
  devToolbar: { enabled: false },
  server: { port: 4321 },
  integrations: [react({ experimentalDisableStreaming: true }), directives(), sitePages(), cards()],
  adapter: renderer({ apiUrl }),
  vite: {
    plugins: [tailwindcss()],
    define: {
      'import.meta.env.HEAD_SCRIPT': JSON.stringify(headScript.text),
      'import.meta.env.SPECULATION_RULES': JSON.stringify(rules.text),
    },
    // light-dark() is younger than phones still in use: it is compiled to what these know.
    build: { cssTarget: ['chrome111', 'firefox128', 'safari16.4'] },
    environments: {
      client: {
        // Few files, because a form loads them all at the first interaction: React; the API client,
        // which scripts without React use too; what forms share.
        build: {
          rolldownOptions: {
            output: {
              codeSplitting: {
                groups: [
                  { name: 'react', test: /\/node_modules\/(?:react|react-dom|scheduler)\// },
                  {
                    name: 'call-api',
                    test: /\/web\/src\/http\/|\/contract\/src\/(?:limits|messages|quantities)\.ts/,
                    minShareCount: 2,
                  },
                  {
                    name: 'forms',
                    test: /\/web\/src\/forms\/|\/contract\/src\/fields\.ts|\/node_modules\/valibot\//,
                    minShareCount: 2,
                  },
                ],
              },
            },
          },
        },
      },
    },
    // `pnpm dev` names the port in links: another one would not do.
    server: { strictPort: true, proxy: { '/api': apiUrl, '/uploads': apiUrl } },
  },
});
