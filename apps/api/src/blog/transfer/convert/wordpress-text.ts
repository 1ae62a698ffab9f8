import type { Notes } from './html-to-markdown.ts';

const blocks =
  'address|article|aside|blockquote|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|tbody|td|tfoot|th|thead|tr|ul|iframe|video|audio|script|style';
const startsWithBlock = new RegExp(`^\\s*</?(?:${blocks})\\b`, 'i');
const startsWithPre = /^\s*<pre\b/i;

/**
 * Converts a text of WordPress to HTML: removes comments, turns shortcodes into elements, and in
 * texts of the classic editor turns empty lines into paragraphs, as WordPress does.
 */
export function wordpressToHtml(text: string, notes: Notes): string {
  const html = withoutShortcodes(text.replaceAll('\r\n', '\n'), notes);
  if (/<!-- wp:/.test(html)) return withoutComments(html);
  return withParagraphs(withoutComments(html.replace(/<!--(?:more|nextpage)\b/gi, '\n\n$&')));
}

const withoutComments = (html: string): string => html.replace(/<!--.*?-->/gs, '');

function withParagraphs(html: string): string {
  return html
    .split(/(<pre\b[\s\S]*?<\/pre>)/i)
    .flatMap((part) => (startsWithPre.test(part) ? [part] : part.split(/\n[ \t]*\n/)))
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (startsWithBlock.test(part) ? part : `<p>${part.replace(/\n/g, '<br>\n')}</p>`))
    .join('\n');
}

const attributeOf = (attributes: string, name: string): string => {
  const found = new RegExp(`(?:^|\\s)${name}=(?:"([^"]*)"|'([^']*)'|(\\S+))`, 'i').exec(attributes);
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? '';
};

const quoted = (text: string): string => text.replaceAll('"', '&quot;');

/** Shortcodes of WordPress and of common plugins. */
const known =
  /\[\/?(?:gallery|playlist|audio|video|embed|caption|wp_caption|contact-form-7|ninja_form|gravityform|vc_\w+|et_pb_\w+)\b/i;

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
    .replace(/\[code\b([^\]]*)\]([\s\S]*?)\[\/code\]/gi, (_, attributes, code) => {
      const language = attributeOf(attributes, 'language') || attributeOf(attributes, 'lang');
      return `\n\n<pre class="language-${quoted(language)}">${code.trim()}</pre>\n\n`;
    });
  const left = known.exec(html)?.[0];
  if (left !== undefined) {
    notes.add(`The shortcode ${left}] stays as text.`);
  }
  return html;
}
