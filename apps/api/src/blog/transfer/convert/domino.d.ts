/** The part of the DOM that is used. The types of the package name another module. */
declare module '@mixmark-io/domino' {
  export interface HtmlElement {
    readonly nodeName: string;
    readonly attributes: ArrayLike<{ readonly name: string }>;
    readonly textContent: string | null;
    readonly parentElement: HtmlElement | null;
    readonly firstElementChild: HtmlElement | null;
    getAttribute(name: string): string | null;
    hasAttribute(name: string): boolean;
    querySelector(selectors: string): HtmlElement | null;
    querySelectorAll(selectors: string): ArrayLike<HtmlElement>;
  }

  export function createDocument(html: string): { readonly body: HtmlElement };
}
