/// <reference types="astro/client" />

declare namespace App {
  /** Only pages that are rendered at runtime have these. */
  interface Locals extends Partial<import('@app/contract/pages').PageLocals> {
    /** The card that the page refers to, set by layouts/Base.astro. */
    card?: import('@app/contract/pages').Card;
  }
}

/**
 * Titles by path, which cards/middleware.ts adds. A global variable works because Astro prerenders
 * in the process of the build.
 */
declare var prerenderedCards: Map<string, string> | undefined;

declare namespace Astro {
  interface ClientDirectives {
    'client:intent'?: boolean | 'query';
    'client:signed-in'?: boolean;
  }
}

interface ImportMetaEnv {
  readonly HEAD_SCRIPT: string;
  readonly SIGNED_OUT_SCRIPT: import('../head/inline-script.ts').InlineScript;
  readonly SPECULATION_RULES: string;
  /** See head/theme-colors.ts. */
  readonly THEME_COLOR_DAY: string;
  readonly THEME_COLOR_NIGHT: string;
  /** The script client-errors/report-errors.ts. */
  readonly REPORTER: string;
  /** The origin of the API. Only defined in development. */
  readonly API_URL: string;
}

interface Document {
  /** Missing in browsers without prerendering (HTML, "Speculative loading"). */
  readonly prerendering?: boolean;
}

declare module 'virtual:card-design' {
  /** A hash that changes with the design of the cards; see cards/. */
  export const design: string;
}
