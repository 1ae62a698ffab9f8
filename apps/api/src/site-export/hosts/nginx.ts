import {
  contentTypeOf,
  publishedTypes,
  siblingEndings,
  specialTypes,
} from '../../server/site-rules.ts';
import { generated, type Host, type HostSettings, pathRules, tooLargeLength } from './host.ts';

const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** A header name as part of a variable name. */
const wordOf = (header: string): string => header.toLowerCase().replaceAll('-', '_');

/** nginx 1.18 and later, with gzip_static. */
export const nginx: Host = {
  name: 'nginx',
  hasSiblings: true,
  isRemote: false,
  configure: (settings) => ({
    'nginx/http.conf': httpConfiguration(settings),
    'nginx/server.conf': serverConfiguration(settings),
  }),
};

function httpConfiguration({ isHttps }: HostSettings): string {
  const rules = pathRules(isHttps);
  const names = headerNames(isHttps);
  const maps = names.map((name) => {
    const all = rules.find(({ pattern }) => pattern === null)?.headers[name] ?? '';
    // Reversed, because nginx uses the first pattern that matches.
    const own = rules.toReversed().flatMap(({ pattern, headers }) => {
      const value = headers[name];
      return pattern === null || value === undefined
        ? []
        : [`\t${quoted(`~${pattern}`)} ${quoted(value)};`];
    });
    return `map $uri $site_own_${wordOf(name)} {
\tdefault ${quoted(all)};
${own.map((line) => `${line}\n`).join('')}}
# The API's own header takes precedence.
map $upstream_http_${wordOf(name)} $site_${wordOf(name)} {
\tdefault "";
\t"" $site_own_${wordOf(name)};
}
`;
  });
  return `# ${generated}
# Include it in the http block, before the server block that includes server.conf.

map $request_method $site_changes {
\tdefault 1;
\tGET 0;
\tHEAD 0;
}

# /about for /about/ and /about.html
map $request_uri $site_moved_to {
\tdefault "";
\t"~^/api/" "";
\t${quoted('~^/+index(?:\\.html)?/*(?<site_index_query>\\?.*)?$')} "/$site_index_query";
\t${quoted('~^(?<site_path>/[^/?\\\\][^?\\\\]*?)(?:\\.html/*|/+)(?<site_query>\\?.*)?$')} "$site_path$site_query";
}

${maps.join('\n')}`;
}

const headerNames = (isHttps: boolean): string[] => [
  ...new Set(pathRules(isHttps).flatMap(({ headers }) => Object.keys(headers))),
];

function serverConfiguration({ isHttps, root, api, apiPaths }: HostSettings): string {
  const types = publishedTypes.map(([ending, type]) => `\t${quoted(type)} ${ending};`);
  const special = Object.keys(specialTypes)
    .filter((name) => !name.endsWith('.ico'))
    .map(
      (name) => `location ~ ${quoted(`/${name.replaceAll('.', '\\.')}$`)} {
\ttypes {}
\tdefault_type ${quoted(contentTypeOf(name))};
\ttry_files $uri =404;
}`,
    );
  const endings = Object.values(siblingEndings).map((ending) => ending.slice(1));
  const fallbacks = apiPaths.map((path) => {
    const match = path.endsWith('/*') ? path.slice(0, -1) : `= ${path}`;
    return `location ${match} {\n\ttry_files $uri $uri.html @site_api;\n}`;
  });
  return `# ${generated}
# Include it in the site's server block, which sets its name, port and certificate.

root ${quoted(root)};
absolute_redirect off;
merge_slashes off;
# The API does not read larger bodies. nginx alone would not check them before going to @site_api.
client_max_body_size 16m;
if ($http_content_length ~ ${quoted(tooLargeLength)}) {
\treturn 413;
}
gzip_static on;
gzip_vary on;

default_type application/octet-stream;
types {
${types.join('\n')}
}

${headerNames(isHttps)
  .map((name) => `add_header ${name} $site_${wordOf(name)} always;`)
  .join('\n')}

error_page 404 /404.html;
error_page 418 = @site_api;
if ($site_changes) {
\treturn 418;
}
if ($site_moved_to) {
\treturn 308 $site_moved_to;
}

location = / {
\ttry_files /index.html =404;
}
location / {
\ttry_files $uri $uri.html =404;
}
location = /404 {
\treturn 404;
}
location = /404.html {
\tinternal;
}
location ~ "\\.(?:html|${endings.join('|')})$" {
\treturn 404;
}
${special.join('\n')}

${fallbacks.join('\n')}

location @site_api {
\tproxy_pass ${api};
\tproxy_http_version 1.1;
\tproxy_set_header Connection "";
\tproxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
\tproxy_ssl_server_name on;
}
`;
}
