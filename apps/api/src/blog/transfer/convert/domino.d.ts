/** The part of the DOM that is used. The types in the package declare another module. */
declare module '@mixmark-io/domino' {
  import type { HtmlElement as Shared } from '@app/contract/blog/html-to-markdown/dom';

  export interface HtmlElement extends Shared {
    readonly parentElement: HtmlElement | null;
    readonly firstElementChild: HtmlElement | null;
    readonly attributes: ArrayLike<{ readonly name: string }>;
    querySelector(selectors: string): HtmlElement | null;
    querySelectorAll(selectors: string): ArrayLike<HtmlElement>;
  }

  export function createDocument(html: string): { readonly body: HtmlElement };
}
