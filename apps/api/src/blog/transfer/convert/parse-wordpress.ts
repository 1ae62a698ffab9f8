import { outermost } from '@app/contract/blog/html-to-markdown/hast';
import type { Element, ElementContent, Root } from 'hast';
import type { Notes } from './notes.ts';
import { parseHtml } from './parse-html.ts';

/**
 * Parses a text of WordPress: turns shortcodes into elements, and outside of blocks, as the classic
 * editor has it, line feeds into line breaks. Two of them end a paragraph.
 */
export function parseWordPress(text: string, notes: Notes): Root {
  const html = withoutShortcodes(text.replaceAll('\r\n', '\n'), notes);
  const root = parseHtml(html.replace(/<!--(?:more|nextpage)\b.*?-->/gis, '\n\n'));
  const body = bodyOf(root);
  return { type: 'root', children: breakLinesOutsideBlocks(body) };
}

const bodyOf = (root: Root): ElementContent[] =>
  outermost(root.children, (node) => node.tagName === 'body')[0]?.children ?? [];

/** Blocks are between comments such as `<!-- wp:paragraph -->` and `<!-- /wp:paragraph -->`. */
function breakLinesOutsideBlocks(nodes: readonly ElementContent[]): ElementContent[] {
  let depth = 0;
  return nodes.flatMap((node, index) => {
    if (node.type === 'comment') {
      if (/^\s*wp:/.test(node.value) && !/\/\s*$/.test(node.value)) depth += 1;
      if (/^\s*\/wp:/.test(node.value)) depth -= 1;
      return [];
    }
    return depth > 0 ? [node] : breakLines(node, nodes[index - 1]);
  });
}

const exact = new Set(['pre', 'script', 'style', 'textarea']);
/** Line feeds between their children mean nothing. */
const structural = new Set([
  ...['colgroup', 'dl', 'ol', 'picture', 'ruby', 'select', 'table', 'tbody', 'tfoot', 'thead'],
  ...['tr', 'ul', 'video', 'audio'],
]);

function breakLines(node: ElementContent, previous: ElementContent | undefined): ElementContent[] {
  if (node.type === 'text') {
    // A line break has its own line feed.
    const text = isBreak(previous) ? node.value.replace(/^[ \t]*\n/, '') : node.value;
    return text.split('\n').flatMap((value, index): ElementContent[] => {
      const line: ElementContent = { type: 'text', value };
      return index === 0 ? [line] : [lineBreak(), line];
    });
  }
  if (node.type !== 'element' || exact.has(node.tagName)) return [node];
  const children = node.children
    .filter((child) => !structural.has(node.tagName) || child.type === 'element')
    .flatMap((child, index, all) => breakLines(child, all[index - 1]));
  return [{ ...node, children }];
}

const isBreak = (node: ElementContent | undefined): boolean =>
  node?.type === 'element' && node.tagName === 'br';

const lineBreak = (): Element => ({ type: 'element', tagName: 'br', properties: {}, children: [] });

const attributeOf = (attributes: string, name: string): string => {
  const found = new RegExp(`(?:^|\\s)${name}=(?:"([^"]*)"|'([^']*)'|(\\S+))`, 'i').exec(attributes);
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? '';
};

const quoted = (text: string): string => text.replaceAll('"', '&quot;');

/** Shortcodes of WordPress and of common plugins. */
const known =
  /\[\/?(?:gallery|playlist|audio|video|embed|caption|wp_caption|contact-form-7|ninja_form|gravityform|vc_\w+|et_pb_\w+)\b/i;

/** Of WordPress.com and SyntaxHighlighter. */
const codeShortcode =
  /\[(code|sourcecode|bash|c|cpp|csharp|css|diff|go|html|java|javascript|js|jscript|perl|php|python|r|ruby|scala|shell|sql|xml)\b([^\]]*)\]([\s\S]*?)\[\/\1\]/gi;

function withoutShortcodes(text: string, notes: Notes): string {
  const html = text
    .replace(
      /\[(?:wp_)?caption\b([^\]]*)\]([\s\S]*?)\[\/(?:wp_)?caption\]/gi,
      (_, attributes, inner) => {
        const image = /(?:<a\b[^>]*>\s*)?<img\b[^>]*>(?:\s*<\/a>)?/i.exec(inner)?.[0] ?? '';
        const caption = inner.replace(image, '').trim() || attributeOf(attributes, 'caption');
        return `\n\n<figure>${image}<figcaption>${caption}</figcaption></figure>\n\n`;
      },
    )
    .replace(/\[embed\b[^\]]*\]\s*([^\s[\]]+)\s*\[\/embed\]/gi, (_, url) => {
      notes.add('[embed] became a link.');
      return `\n\n<a href="${quoted(url)}">${url}</a>\n\n`;
    })
    .replace(/\[(audio|video|playlist)\b([^\]]*)\](?:[^[]*\[\/\1\])?/gi, (_, name, attributes) => {
      const url = ['src', 'mp4', 'mp3', 'webm']
        .map((each) => attributeOf(attributes, each))
        .find(Boolean);
      if (url === undefined) {
        notes.add(`[${name}] is left out.`);
        return '';
      }
      notes.add(`[${name}] became a link.`);
      return `\n\n<a href="${quoted(url)}">${url}</a>\n\n`;
    })
    .replace(codeShortcode, (_, name, attributes, code) => {
      const named = attributeOf(attributes, 'language') || attributeOf(attributes, 'lang');
      const language = named || (/code$/i.test(name) ? '' : name.toLowerCase());
      // Its text is not HTML, but may have references.
      const text = code.trim().replaceAll('<', '&lt;');
      return `\n\n<pre class="language-${quoted(language)}">${text}</pre>\n\n`;
    });
  const left = known.exec(html)?.[0];
  if (left !== undefined) {
    notes.add(`The shortcode ${left}] stays as text.`);
  }
  return html;
}
