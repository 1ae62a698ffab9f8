import type { Notes } from './notes.ts';
import { outsideCode } from './outside-code.ts';

/**
 * Replaces the templates of Hugo, Jekyll and Hexo with Markdown. What has no counterpart stays as
 * text, with a note.
 */
export const withoutTemplates = (text: string, notes: Notes): string =>
  closeHighlights(
    outsideCode(withoutHiddenText(text), (part) =>
      replaceTemplates(withoutKramdown(withoutContainers(part, notes), notes), notes),
    ),
  );

/** Comments that their systems remove before they read Markdown, also around code. */
const withoutHiddenText = (text: string): string =>
  text
    .replace(/\{%-?\s*comment\s*-?%\}[\s\S]*?\{%-?\s*endcomment\s*-?%\}/g, '')
    .replace(/\{%-?\s*#[\s\S]*?-?%\}/g, '')
    // Of Nunjucks, unlike `{#id}` of a heading.
    .replace(/\{#[^{}]*#\}/g, '')
    .replace(/\{\{([<%])\s*comment\s*[>%]\}\}[\s\S]*?\{\{\1\s*\/\s*comment\s*[>%]\}\}/g, '')
    .replace(/\{::comment\}[\s\S]*?\{:\/(?:comment)?\}/g, '');

/** The frames around `:::note Title` (Docusaurus, Starlight, VuePress) and `> [!NOTE]` (GitHub). */
export const withoutContainers = (text: string, notes: Notes): string =>
  text
    .replace(
      /^([ \t]*):{3,}[ \t]*([a-z][\w-]*)[ \t]*(?:\[([^\]\n]*)\])?([^\n{]*)(?:\{[^\n]*)?$/gim,
      (_, indent, name, label, rest) => {
        notes.add(`The frame of ::: ${name} is left out, its text stays.`);
        const heading = (label || rest).trim();
        return heading === '' ? '' : `${indent}**${heading}**\n`;
      },
    )
    .replace(/^[ \t]*:{3,}[ \t]*$/gm, '')
    .replace(
      /^((?:[ \t]*>)+[ \t]*)\[!(\w)(\w*)\][-+]?[ \t]*([^\n]*)$/gm,
      (_, quote, initial, others, heading) =>
        `${quote}**${heading || initial.toUpperCase() + others.toLowerCase()}**\n${quote}`,
    );

const withoutKramdown = (text: string, notes: Notes): string =>
  text
    .replace(
      /^(?:(?:[-*+]|\d+\.)[ \t][^\n]*\n\{:\s*toc\b[^}\n]*\}|\[\[?_?toc_?\]?\])[ \t]*$/gim,
      () => {
        notes.add('A table of contents is left out.');
        return '';
      },
    )
    .replace(/^\*\[[^\]\n]+\]:[^\n]*$/gm, () => {
      notes.add('The explanations of abbreviations are left out.');
      return '';
    })
    .replace(/\{::(?:options[^}\n]*|nomarkdown[^}\n]*)\}|\{:\/(?:nomarkdown)?\}/g, '');

const argument = (args: string, ...names: string[]): string => {
  const [, double, single, plain = ''] =
    new RegExp(`(?:^|\\s)(?:${names.join('|')})\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"']+))`).exec(
      args,
    ) ?? [];
  return double ?? single ?? plain;
};

/** Words, and texts in quotes. */
const wordsIn = (args: string): string[] =>
  [...args.matchAll(/"([^"]*)"|'([^']*)'|`([^`]*)`|(\S+)/g)].map(
    ([, double, single, raw, word = '']) => double ?? single ?? raw ?? word,
  );

const title = (caption: string): string =>
  caption === '' ? '' : ` "${caption.replace(/(["\\])/g, '\\$1')}"`;

const picture = (source: string, alt: string, caption: string): string =>
  source && `![${alt}](${source}${title(caption)})`;

const pictureOf = (args: string): string =>
  picture(
    argument(args, 'src', 'url', 'image_path', 'path', 'image', 'file', 'link'),
    argument(args, 'alt'),
    argument(args, 'caption', 'title'),
  );

const pathOf = (file: string): string =>
  `/blog/${file
    .replace(/^.*\//, '')
    .replace(/\.(?:md|markdown)(?=#|$)/, '')
    .replace(/^\d{4}-\d{1,2}-\d{1,2}-/, '')}`;

/** Pages that embedded parts show, by the name of their tag. */
const embedded: Readonly<Record<string, (words: readonly string[], args: string) => string>> = {
  youtube: ([id], args) =>
    `https://www.youtube.com/watch?v=${argument(args, 'id', 'video_id') || id}`,
  vimeo: ([id], args) => `https://vimeo.com/${argument(args, 'id', 'video_id') || id}`,
  gist: (words) => `https://gist.github.com/${words.slice(0, 2).join('/')}`,
  instagram: ([id]) => `https://www.instagram.com/p/${id}/`,
  tweet: ([id], args) => `https://twitter.com/i/status/${argument(args, 'id') || id}`,
  x: ([id], args) => `https://twitter.com/i/status/${argument(args, 'id') || id}`,
};

/** Null if the tag has no counterpart. */
function fromTag(name: string, args: string, notes: Notes): string | null {
  const words = wordsIn(args);
  const [first = ''] = words;
  const url = embedded[name]?.(words, args);
  if (url !== undefined && args.trim() !== '') {
    notes.add(`The template tag "${name}" became a link.`);
    return url;
  }
  switch (name) {
    case 'figure':
    case 'img':
    case 'image':
    case 'picture':
      return pictureOf(args) || pictureAmong(words) || null;
    case 'asset_img':
      return pictureAmong(words) || null;
    case 'ref':
    case 'relref':
      notes.add('{{< ref >}} became a path, which may be different here.');
      return pathOf(argument(args, 'path') || first);
    case 'post_url':
      return pathOf(first);
    case 'link':
      return /\.(?:md|markdown)$/.test(first) ? pathOf(first) : null;
    case 'include':
    case 'include_relative':
      return included(first, args, notes);
    case 'raw':
    case 'endraw':
      return '';
    default:
      return null;
  }
}

/** As in `{% img left /a.png 200 100 "Title" %}`. */
function pictureAmong(words: readonly string[]): string {
  const at = words.findIndex((word) => /\.(?:png|jpe?g|gif|webp|avif|svg)$/i.test(word));
  const alt = words.slice(at + 1).find((word) => !/^\d+%?$/.test(word)) ?? '';
  return at < 0 ? '' : picture(words[at] ?? '', alt, '');
}

function included(file: string, args: string, notes: Notes): string | null {
  const [name = ''] = /youtube|vimeo/i.exec(file) ?? [];
  if (name !== '') return fromTag(name.toLowerCase(), args.replace(file, ''), notes);
  return /fig|image|img|picture|photo/i.test(file) ? pictureOf(args) || null : null;
}

function replaceTemplates(text: string, notes: Notes): string {
  const orText = (tag: string, name: string, replacement: string | null): string => {
    if (replacement !== null) return replacement;
    if (!/^(?:\/|end)/.test(name)) {
      notes.add(`The template tag "${name.slice(0, 40)}" stays as text.`);
    }
    return tag;
  };
  return (
    text
      // Hugo
      .replace(/\{\{[<%]\s*highlight\s+"?([\w+#-]+)"?[\s\S]*?[>%]\}\}/g, '{% highlight $1 %}')
      .replace(/\{\{[<%]\s*\/highlight\s*[>%]\}\}/g, '{% endhighlight %}')
      .replace(
        /\{\{[<%]\s*(\/?\s*\w[\w./-]*)([\s\S]*?)\/?\s*[>%]\}\}/g,
        (tag, name: string, args: string) => orText(tag, name, fromTag(name, args, notes)),
      )
      // Jekyll and Hexo
      .replace(
        /\{%-?\s*codeblock\b([^%]*)%\}/g,
        (_, args) => `{% highlight ${/lang:([\w+#-]+)/.exec(args)?.[1] ?? 'text'} %}`,
      )
      .replace(/\{%-?\s*endcodeblock\s*-?%\}/g, '{% endhighlight %}')
      .replace(
        /\{%-?\s*(?!(?:end)?highlight\b)(\w+)([\s\S]*?)-?%\}/g,
        (tag, name: string, args: string) => orText(tag, name, fromTag(name, args, notes)),
      )
      .replace(/\{\{-?\s*site\.(?:baseurl|url)\s*-?\}\}/g, '')
      .replace(
        /\{\{-?\s*(["'])([^"']*)\1\s*\|\s*(?:relative_url|absolute_url|prepend:\s*site\.\w+|url_for)\s*-?\}\}/g,
        '$2',
      )
      .replace(/\{\{-?\s*([\w.]+)[^{}]*\}\}/g, (tag, name: string) => orText(tag, name, null))
      .replace(/(?<!\n)\n*<!--\s*(?:more|truncate|excerpt)\s*-->\n*/gi, '\n\n')
      // Shortcodes that are shown.
      .replace(/\{\{([<%])\/\*([\s\S]*?)\*\/([>%])\}\}/g, '{{$1$2$3}}')
  );
}

/** Turns highlighted code into fenced code, which the following steps do not change. */
const closeHighlights = (text: string): string =>
  text.replace(
    /\{%-?\s*highlight\s+([\w+#-]+)[^%]*%\}\s*?\n?([\s\S]*?)\{%-?\s*endhighlight\s*-?%\}/g,
    (_, language, code) => `\n\`\`\`${language}\n${code.replace(/\n$/, '')}\n\`\`\`\n`,
  );
