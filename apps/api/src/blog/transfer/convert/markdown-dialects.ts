import { Marked } from 'marked';
import { htmlToMarkdown, type Notes } from './html-to-markdown.ts';
import { inlineSyntax } from './inline-syntax.ts';
import { outsideCode } from './outside-code.ts';

/**
 * Converts Markdown of Astro, Hugo and Jekyll to that of this site, which supports less syntax, no
 * HTML and no templates. What has no counterpart stays as text, with a note.
 */
export const fromDialect = (text: string, notes: Notes): string =>
  converted(text, notes, 'markdown');

export const fromMdx = (text: string, notes: Notes): string => converted(text, notes, 'mdx');

function converted(text: string, notes: Notes, format: 'markdown' | 'mdx'): string {
  const plain = outsideCode(text, (part) => withoutTemplates(part, notes));
  const tokens = new Marked().lexer(inlineSyntax(closeHighlights(plain), notes, format));
  return tokens
    .map((token) => {
      if (token.type === 'code' || token.type === 'space') return token.raw;
      if (token.type === 'html') return fromBlock(token.raw, notes);
      return outsideCode(token.raw, (part) => withoutTags(part, notes));
    })
    .join('')
    .trim();
}

function fromBlock(html: string, notes: Notes): string {
  const converted = /^\s*<!--[\s\S]*-->\s*$/.test(html) ? '' : htmlToMarkdown(html, notes);
  return converted + html.slice(html.trimEnd().length);
}

const argument = (args: string, name: string): string =>
  new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|(\\S+))`)
    .exec(args)
    ?.slice(1)
    .find((value) => value !== undefined) ?? '';

const title = (caption: string): string =>
  caption === '' ? '' : ` "${caption.replace(/(["\\])/g, '\\$1')}"`;

function withoutTemplates(text: string, notes: Notes): string {
  return (
    text
      // Hugo
      .replace(/\{\{[<%]\s*figure\s+([\s\S]*?)\/?[>%]\}\}/g, (_, args) => {
        const source = argument(args, 'src');
        const caption = argument(args, 'caption') || argument(args, 'title');
        return source && `![${argument(args, 'alt')}](${source}${title(caption)})`;
      })
      .replace(
        /\{\{[<%]\s*(youtube|vimeo)\s+(?:id=)?"?([\w-]+)"?[\s\S]*?[>%]\}\}/g,
        (_, host, id) => {
          notes.add(`{{< ${host} >}} became a link.`);
          return host === 'youtube'
            ? `https://www.youtube.com/watch?v=${id}`
            : `https://vimeo.com/${id}`;
        },
      )
      .replace(/\{\{[<%]\s*(?:rel)?ref\s+"([^"]+)"\s*[>%]\}\}/g, (_, path) => {
        notes.add('{{< ref >}} became a path, which may be different here.');
        return `/blog/${path.replace(/^.*\//, '').replace(/\.md$/, '')}`;
      })
      .replace(/\{\{[<%]\s*highlight\s+"?([\w+#-]+)"?[\s\S]*?[>%]\}\}/g, '{% highlight $1 %}')
      .replace(/\{\{[<%]\s*\/highlight\s*[>%]\}\}/g, '{% endhighlight %}')
      // Jekyll
      .replace(/\{%-?\s*post_url\s+(?:\S*\/)?(?:\d{4}-\d{2}-\d{2}-)?(\S+)\s*-?%\}/g, '/blog/$1')
      .replace(/\{\{\s*site\.(?:baseurl|url)\s*\}\}/g, '')
      .replace(/\{\{\s*"([^"]*)"\s*\|\s*(?:relative_url|absolute_url)\s*\}\}/g, '$1')
      .replace(/\{%-?\s*(?:end)?raw\s*-?%\}/g, '')
      .replace(/^\{:\s?[.#][^}]*\}[ \t]*\n?/gm, '')
      .replace(/(?<!\n)\n*<!--\s*more\s*-->\n*/gi, '\n\n')
      // MDX
      .replace(
        /^(?:import\s[^\n]*\sfrom\s+['"][^\n]*|export\s+(?:const|default|let)\s[^\n]*)\n/gm,
        (line) => {
          notes.add(`An MDX ${line.split(' ')[0]} is left out.`);
          return '';
        },
      )
      .replace(
        /\{\{[<%]\s*\/?\s*([\w/-]+)|\{%-?\s*(?!(?:end)?highlight\b)(\w+)|\{\{\s*([\w.]+)/g,
        (tag, hugo, liquid, variable) => {
          notes.add(
            `The template tag "${(hugo ?? liquid ?? variable).slice(0, 40)}" stays as text.`,
          );
          return tag;
        },
      )
  );
}

/** Turns highlighted code into fenced code, which the following steps do not change. */
const closeHighlights = (text: string): string =>
  text.replace(
    /\{%-?\s*highlight\s+([\w+#-]+)[^%]*%\}\s*?\n?([\s\S]*?)\{%-?\s*endhighlight\s*-?%\}/g,
    (_, language, code) => `\n\`\`\`${language}\n${code.replace(/\n$/, '')}\n\`\`\`\n`,
  );

const inline: Readonly<Record<string, string>> = {
  b: '**',
  strong: '**',
  i: '*',
  em: '*',
  del: '~~',
  s: '~~',
  code: '`',
  kbd: '`',
};

/** Other names in angle brackets are text, as in List<String>. */
const elements =
  /^(?:abbr|acronym|big|center|cite|details|dfn|div|figcaption|figure|font|ins|label|mark|p|q|section|small|span|sub|summary|sup|time|u|var|wbr)$/;

/** Converts the tags within a paragraph. */
const withoutTags = (text: string, notes: Notes): string =>
  text
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<br\s*\/?>\n?/gi, '\n')
    .replace(/<(?:img|a)\b[^>]*>(?:[^<]*<\/a>)?/gi, (html) => htmlToMarkdown(html, notes))
    .replace(/<\/?([a-z][a-z\d]*)(?:\s[^<>]*)?>/gi, (tag, written) => {
      const name = written.toLowerCase();
      const mark = inline[name];
      if (mark !== undefined) return mark;
      if (!elements.test(name)) return tag;
      notes.add(`Markdown has no <${name}>: its text stays.`);
      return '';
    });
