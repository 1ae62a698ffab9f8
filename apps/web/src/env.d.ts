/// <reference types="astro/client" />

declare namespace App {
  /** Filled in for pages that are rendered while the site runs, empty on all others. */
  interface Locals extends Partial<import('@app/contract/pages').PageLocals> {
    /** The page's content security policy; see renderer/policy.ts. */
    policy?: string | undefined;
  }
}

declare namespace Astro {
  interface ClientDirectives {
    /** See hydration/intent.ts. */
    'client:intent'?: boolean | 'query';
    /** See hydration/signed-in.ts. */
    'client:signed-in'?: boolean;
  }
}

interface ImportMetaEnv {
  /** Where the API answers; only there in development. */
  readonly API_URL: string;
}

declare module 'virtual:site-pages' {
  /** The fixed paths that pages are at, sorted: '/', '/blog', ... */
  export const sitePages: readonly string[];
}
