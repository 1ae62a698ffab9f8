export interface ServedPage {
  html: string;
  /** The header Content-Security-Policy. */
  policy: string;
}

/**
 * Finds what could run scripts, load parts of a page or link to scripts. The browser parses each
 * page without running it. Runs in the browser, so it uses nothing from outside.
 * @param pages null for the open document in its current state
 */
export async function findHostile(pages: readonly ServedPage[] | null): Promise<string[][]> {
  const active =
    'frame, frameset, object, embed, applet, base, portal, math, video, audio, foreignObject, animate, animateMotion, animateTransform, set, marquee, [srcdoc], iframe:not([src="/api/preview-frame"])';
  const urlAttributes = [
    'href',
    'src',
    'action',
    'formaction',
    'xlink:href',
    'data',
    'poster',
    'ping',
  ];
  const otherUrlAttributes = ['background', 'cite', 'longdesc', 'manifest', 'dynsrc', 'lowsrc'];
  const leading = ['http:', 'https:', 'mailto:', 'tel:'];

  // In a sandboxed frame, location.origin is 'null'.
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
      const isUrl = [...urlAttributes, ...otherUrlAttributes].includes(lower);
      const isHostile =
        /^on/.test(lower) ||
        // A piece of a value that ended too early.
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
  const isForeignUrl = (element: Element, name: string): boolean => {
    const url = URL.parse(element.getAttribute(name) ?? '', location.href);
    return url !== null && url.origin !== origin && url.protocol !== 'data:';
  };
  const isRefresh = (element: Element): boolean =>
    element instanceof HTMLMetaElement &&
    element.httpEquiv !== '' &&
    element.httpEquiv.toLowerCase() !== 'content-security-policy';
  const shownOf = (element: Element): string => element.outerHTML.slice(0, 200);
  const foundIn = (element: Element): string[] => {
    const isHostile =
      element.matches(active) ||
      element instanceof HTMLUnknownElement ||
      isRefresh(element) ||
      ['action', 'formaction', ...(element.matches('link') ? ['href'] : [])].some((name) =>
        isForeignUrl(element, name),
      );
    return [...attributesOf(element), ...(isHostile ? [shownOf(element)] : [])];
  };
  /** Whether the page's own policy lists a script or a style. */
  const isListed = async (element: Element, policy: string): Promise<boolean> => {
    const [src, text] = [element.getAttribute('src'), element.textContent ?? ''];
    if (element.getAttribute('type') === 'application/ld+json' && isJson(text)) return true;
    if (src !== null) return URL.parse(src, location.href)?.origin === origin;
    return policy.includes(await hashOf(text));
  };
  const elementsOf = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((element) =>
      element instanceof HTMLTemplateElement
        ? [element, ...elementsOf(element.content)]
        : [element],
    );
  const findIn = async (root: ParentNode, policy: string): Promise<string[]> => {
    const elements = elementsOf(root);
    const found = elements.flatMap(foundIn);
    // Scripts of an open document add styles.
    if (policy === '') return found;
    for (const element of elements.filter((each) => each.matches('script, style'))) {
      if (!(await isListed(element, policy))) found.push(shownOf(element));
    }
    return found;
  };
  const metaPolicyOf = (document: Document): string =>
    document.querySelector('meta[http-equiv="content-security-policy"]')?.getAttribute('content') ??
    '';

  if (pages === null) return [await findIn(document, '')];
  const all = pages.map(async ({ html, policy }) => {
    const parsed = new DOMParser().parseFromString(html, 'text/html');
    const policies = policy + metaPolicyOf(parsed);
    return policies === '' ? ['no policy'] : findIn(parsed, policies);
  });
  return Promise.all(all);
}
