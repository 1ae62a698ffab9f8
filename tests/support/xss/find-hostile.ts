/** A page as it was served. */
export interface ServedPage {
  html: string;
  /** The header Content-Security-Policy. */
  policy: string;
}

/**
 * What could run scripts, load parts of a page or lead to scripts in each page: parsed by the
 * browser, without running it. Runs in the browser, so it uses nothing from outside.
 * @param pages null for the document that is open, as it is by now
 */
export async function findHostile(pages: readonly ServedPage[] | null): Promise<string[][]> {
  const active =
    'frame, frameset, object, embed, applet, base, portal, math, video, audio, foreignObject, animate, animateMotion, animateTransform, set, marquee, [srcdoc], iframe:not([src="/api/preview-frame"])';
  const addresses = ['href', 'src', 'action', 'formaction', 'xlink:href', 'data', 'poster', 'ping'];
  const moreAddresses = ['background', 'cite', 'longdesc', 'manifest', 'dynsrc', 'lowsrc'];
  const leading = ['http:', 'https:', 'mailto:', 'tel:'];

  // Of a frame in a sandbox, location.origin is 'null'.
  const { origin } = new URL(location.href);

  const hashOf = async (text: string): Promise<string> => {
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
    return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}'`;
  };
  const isSecureUrl = (element: Element, name: string, value: string): boolean => {
    const url = URL.parse(value, location.href);
    if (!url || leading.includes(url.protocol)) return true;
    return name !== 'action' && !/^A$/i.test(element.tagName) && /^data:image\//i.test(value);
  };
  const attributesOf = (element: Element): string[] =>
    Array.from(element.attributes).flatMap(({ name, value }) => {
      const [lower, shown] = [name.toLowerCase(), `${element.nodeName} ${name}="${value}"`];
      const isUrl = [...addresses, ...moreAddresses].includes(lower);
      const isHostile =
        /^on/.test(lower) ||
        // Of a value that ended too early.
        !/^[a-z][\w:.-]*$/.test(lower) ||
        (isUrl && !isSecureUrl(element, lower, value)) ||
        (lower === 'srcset' && /(?:^|,)\s*(?:javascript|vbscript|data):/i.test(value)) ||
        (lower === 'style' && /url|expression|behavior|binding|import/i.test(value));
      return isHostile ? [shown] : [];
    });
  const isJson = (text: string): boolean => {
    try {
      return JSON.parse(text) !== undefined;
    } catch {
      return false;
    }
  };
  /** Scripts and styles that the page's own policy does not list. */
  const inlineOf = async (element: Element, policy: string): Promise<string[]> => {
    if (!element.matches('script, style')) return [];
    const [src, text] = [element.getAttribute('src'), element.textContent ?? ''];
    const isListed =
      src === null
        ? policy.includes(await hashOf(text))
        : URL.parse(src, location.href)?.origin === origin;
    const isData = element.getAttribute('type') === 'application/ld+json' && isJson(text);
    return isListed || isData ? [] : [element.outerHTML.slice(0, 200)];
  };
  const elementOf = async (element: Element, policy: string): Promise<string[]> => {
    const [found, shown] = [attributesOf(element), element.outerHTML.slice(0, 200)];
    if (element.matches(active) || element instanceof HTMLUnknownElement) found.push(shown);
    // Scripts of an open document add styles.
    if (policy !== '') found.push(...(await inlineOf(element, policy)));
    if (
      element instanceof HTMLMetaElement &&
      element.httpEquiv &&
      element.httpEquiv.toLowerCase() !== 'content-security-policy'
    )
      found.push(shown);
    for (const name of ['action', 'formaction', ...(element.matches('link') ? ['href'] : [])]) {
      const url = URL.parse(element.getAttribute(name) ?? '', location.href);
      const isOther = url !== null && url.origin !== origin && url.protocol !== 'data:';
      if (isOther) found.push(shown);
    }
    if (element instanceof HTMLTemplateElement) {
      found.push(...(await elementsOf(element.content, policy)));
    }
    return found;
  };
  const elementsOf = async (root: ParentNode, policy: string): Promise<string[]> => {
    const found: string[] = [];
    for (const element of root.querySelectorAll('*')) {
      found.push(...(await elementOf(element, policy)));
    }
    return found;
  };
  const metaPolicyOf = (document: Document): string =>
    document.querySelector('meta[http-equiv="content-security-policy"]')?.getAttribute('content') ??
    '';

  if (pages === null) return [await elementsOf(document, '')];
  const all = pages.map(async ({ html, policy }) => {
    const parsed = new DOMParser().parseFromString(html, 'text/html');
    const policies = policy + metaPolicyOf(parsed);
    return policies === '' ? ['no policy'] : elementsOf(parsed, policies);
  });
  return Promise.all(all);
}
