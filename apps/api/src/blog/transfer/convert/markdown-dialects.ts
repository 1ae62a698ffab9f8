import type { Notes } from './notes.ts';
import { outsideCode } from './outside-code.ts';

/**
 * Replaces the templates of Hugo and Jekyll and the modules of MDX with Markdown. What has no
 * counterpart stays as text, with a note.
 */
export const withoutTemplates = (text: string, notes: Notes): string =>
  closeHighlights(outsideCode(text, (part) => replaceTemplates(part, notes)));

const argument = (args: string, name: string): string =>
  new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|(\\S+))`)
    .exec(args)
    ?.slice(1)
    .find((value) => value !== undefined) ?? '';

const title = (caption: string): string =>
  caption === '' ? '' : ` "${caption.replace(/(["\\])/g, '\\$1')}"`;

function replaceTemplates(text: string, notes: Notes): string {
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
