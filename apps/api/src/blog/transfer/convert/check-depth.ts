import type { Nodes } from 'mdast';

/** Levels of quotes, lists and components. Posts can have far fewer. */
const maxDepth = 200;

/** @throws RangeError if it is nested too deeply, before anything walks through it */
export function checkDepth(tree: Nodes): void {
  let level: Nodes[] = [tree];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) throw new RangeError('The blocks are nested too deeply');
    level = level.flatMap((node) => ('children' in node ? node.children : []));
  }
}
