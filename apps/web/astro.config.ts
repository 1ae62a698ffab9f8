import { fileURLToPath } from 'node:url';
import { buildOrigin } from '@app/contract/pages';
import { licenses } from '@app/tasks/licenses';
import react from '@astrojs/react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, passthroughImageService } from 'astro/config';
import { cards } from './cards/cards.ts';
import { fonts } from './fonts.ts';
import { bundleInline, bundleModule } from './head/bundle-inline.ts';
import { inlineScript } from './head/inline-script.ts';
import { apiFolders, speculationRules } from './head/speculation-rules.ts';
import { themeColors } from './head/theme-colors.ts';
import { directives } from './hydration/directives.ts';
import { scriptsWithoutReact } from './hydration/scripts-without-react.ts';
import { processor } from './markdown/processor.ts';
import { renderer } from './renderer/adapter.ts';

// Only for `astro dev`. Builds do not access the network.
const apiUrl = process.env['API_URL'] ?? 'http://localhost:4322';

// Not a secret: it encrypts the props of server islands, which the site does not use. Without it,
// Astro generates a random key for each build, so that no two builds would have the same id.
process.env['ASTRO_KEY'] = Buffer.alloc(32).toString('base64');

const themeColorDefinitions = {
  'import.meta.env.THEME_COLOR_DAY': JSON.stringify(themeColors.day),
  'import.meta.env.THEME_COLOR_NIGHT': JSON.stringify(themeColors.night),
};
const headScript = await bundleInline(
  new URL('src/head/head-script.ts', import.meta.url),
  themeColorDefinitions,
);
const signedOutScript = await bundleInline(
  new URL('src/head/signed-out-script.ts', import.meta.url),
);
const reporter = await bundleModule(new URL('src/client-errors/report-errors.ts', import.meta.url));
const rules = inlineScript(JSON.stringify(speculationRules));

/** Packages whose licenses apply to files that no script imports. */
const packagesOfFiles = [
  '@fontsource-variable/instrument-sans',
  '@fontsource/bricolage-grotesque',
  'tailwindcss',
].map((name) => fileURLToPath(new URL(`node_modules/${name}`, import.meta.url)));

export default defineConfig({
  site: buildOrigin,
  output: 'static',
  trailingSlash: 'never',
  // The default also removes line breaks between words.
  compressHTML: true,
  build: { format: 'file', inlineStylesheets: 'always' },
  security: {
    csp: {
      directives: [
        "default-src 'self'",
        // Covers of posts can be on any host.
        "img-src 'self' data: https: http:",
        "base-uri 'none'",
        "object-src 'none'",
        "form-action 'self'",
      ],
      scriptDirective: { hashes: [headScript.hash, rules.hash] },
    },
  },
  // Shiki uses style attributes, which the policy blocks.
  markdown: { processor, syntaxHighlight: false },
  // Keeps sharp, which has native binaries, out of the renderer.
  image: { service: passthroughImageService() },
  fonts,
  devToolbar: { enabled: false },
  server: { port: 4321 },
  integrations: [react({ experimentalDisableStreaming: true }), directives(), cards()],
  adapter: renderer({ apiUrl }),
  vite: {
    plugins: [tailwindcss(), licenses({ also: packagesOfFiles }), scriptsWithoutReact()],
    define: {
      ...themeColorDefinitions,
      'import.meta.env.HEAD_SCRIPT': JSON.stringify(headScript.text),
      'import.meta.env.SIGNED_OUT_SCRIPT': JSON.stringify(signedOutScript),
      'import.meta.env.REPORTER': JSON.stringify(reporter),
      'import.meta.env.SPECULATION_RULES': JSON.stringify(rules.text),
    },
    build: {
      // Otherwise the CSP of every page would list the hashes of all scripts that Astro inlines.
      assetsInlineLimit: 0,
      // Compiles light-dark() for older phones.
      cssTarget: ['chrome111', 'firefox128', 'safari16.4'],
    },
    environments: {
      client: {
        // Few files, because a form loads all of them at the first interaction. React is separate
        // from the API client, which scripts without React use, too.
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
                    name: 'page-scripts',
                    test: /\/components\/(?:float-toast|after-time-shown)\.ts|\/forms\/submit\/draft\.ts|\/contract\/src\/forms\/honeypot\.ts|\/site\/src\/forms\/labels\.ts/,
                    minShareCount: 2,
                  },
                  {
                    name: 'forms',
                    test: /\/web\/src\/forms\/|\/contract\/src\/(?:clean-text|email-address|fields)\.ts|\/node_modules\/valibot\//,
                    minShareCount: 2,
                  },
                ],
              },
            },
          },
        },
      },
    },
    // `pnpm dev` prints links with this port.
    server: {
      strictPort: true,
      proxy: Object.fromEntries(apiFolders.map((name) => [`/${name}`, apiUrl])),
    },
  },
});
