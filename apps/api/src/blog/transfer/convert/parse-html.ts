import type { Root } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';

/** Levels of elements. Browsers have the same limit, and flatten what is deeper. */
const maxDepth = 512;

type Node = DefaultTreeAdapterTypes.Node;

/**
 * Parses HTML as browsers do.
 * @throws RangeError if elements are nested too deeply, before anything walks through them
 */
export function parseHtml(html: string): Root {
  let depth = 0;
  // With an explicit tag, a `<frameset>` cannot replace the body (HTML, 13.2.6.4.7).
  const document = parse(`<!doctype html><body>${withTextTags(html)}`, {
    treeAdapter: {
      ...defaultTreeAdapter,
      onItemPush() {
        depth += 1;
        if (depth > maxDepth) throw new RangeError('The elements are nested too deeply');
      },
      onItemPop() {
        depth -= 1;
      },
    },
  });
  checkDepth(document);
  return fromParse5(document) as Root;
}

/** Misnested elements can be deeper in the tree than they were while it was parsed. */
function checkDepth(document: Node): void {
  let level: Node[] = [document];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) throw new RangeError('The elements are nested too deeply');
    level = level.flatMap((node) => ('childNodes' in node ? node.childNodes : []));
  }
}

const validName = /^\/?(?:[a-z][\w-]*:)?[a-z][\w.-]*$/i;

/** Names that no element has are text, such as `<ann@example.com>`. */
const withTextTags = (html: string): string =>
  html.replace(/<(\/?[a-z][^\s/>]*)/gi, (tag, name) =>
    validName.test(name) ? tag : `&lt;${name}`,
  );
