import { headerRules, headersOf, headersOfRule } from '../../server/site-rules.ts';
import { generated, type Host } from './host.ts';

/**
 * Netlify serves /about.html at /about, and 404.html for missing paths. It does not redirect /about/
 * and /about.html. At paths of files, it refuses POST and the like instead of asking the API.
 */
export const netlify: Host = {
  name: 'netlify',
  hasSiblings: false,
  isRemote: true,
  configure: ({ isHttps, api, apiPaths }) => ({
    'netlify.toml': `# ${generated}\n\n[build]\npublish = "public"\n\n[build.processing]\nskip_processing = true\n`,
    'public/_redirects': [
      `# ${generated}`,
      ...apiPaths.map((path) => `${path} ${api}${path.replace('*', ':splat')} 200`),
      '',
    ].join('\n'),
    'public/_headers': [`# ${generated}`, ...headerBlocks(isHttps, ''), ''].join('\n'),
  }),
};

/**
 * Blocks of a _headers file, whose patterns match URL paths. Pages have no extension there, so the
 * block for all paths has the headers of pages, and those of other extensions override them.
 * @param reset prefix of a line that removes a header of an earlier block; '' if later blocks override
 */
export function headerBlocks(isHttps: boolean, reset: string): string[] {
  const page = headersOf('page.html', isHttps);
  const blocks = new Map<string, Record<string, string>>([['/*', page]]);
  const data = headersOf('data.txt', isHttps);
  for (const ending of dataEndings) blocks.set(`/*.${ending}`, differing(data, page));
  for (const { folder, endings = [], kind, ...rule } of headerRules.slice(1)) {
    if (kind === 'page') continue;
    const headers = headersOfRule({ ...rule, ...(kind && { kind }) }, isHttps);
    if (folder !== undefined) blocks.set(`/${folder}/*`, headers);
    for (const ending of endings) {
      const earlier = blocks.get(`/*.${ending}`);
      blocks.set(`/*.${ending}`, { ...earlier, ...differing(headers, page) });
    }
  }
  return [...blocks].flatMap(([path, headers]) => [
    path,
    ...Object.entries(headers).flatMap(([name, value]) => [
      ...(reset && path !== '/*' && name in page ? [`  ${reset}${name}`] : []),
      `  ${name}: ${value}`,
    ]),
  ]);
}

const dataEndings = ['css', 'js', 'json', 'md', 'txt', 'webmanifest', 'woff2', 'xml'];

const differing = (
  headers: Readonly<Record<string, string>>,
  from: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name, value]) => from[name] !== value));
