import {
  contentTypeOf,
  publishedTypes,
  siblingEndings,
  specialTypes,
} from '../../server/site-rules.ts';
import { generated, type Host, type HostSettings, pathRules, tooLargeLength } from './host.ts';

const quoted = (text: string): string => `"${text.replaceAll('"', '\\"')}"`;

const indented = (lines: readonly string[], tabs: number): string =>
  lines.map((line) => '\t'.repeat(tabs) + line).join('\n');

const headerLines = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).map(([name, value]) => `${name} ${quoted(value)}`);

/** Caddy 2.6 and later. */
export const caddy: Host = {
  name: 'caddy',
  hasSiblings: true,
  isRemote: false,
  configure: (settings) => ({ Caddyfile: caddyfile(settings) }),
};

function caddyfile({ publicUrl, isHttps, root, api, apiPaths }: HostSettings): string {
  const rules = pathRules(isHttps);
  const everywhere = headerLines(rules[0]?.headers ?? {});
  const kinds = rules
    .slice(1)
    .flatMap(({ pattern, headers }, index) => [
      `@kind${index} path_regexp ${quoted(pattern ?? '')}`,
      `header @kind${index} {`,
      ...headerLines(headers).map((line) => `\t${line}`),
      '}',
    ]);
  const types = [
    ...Object.keys(specialTypes).map((name) => [`/${name}`, contentTypeOf(name)] as const),
    ...publishedTypes.map(([ending, type]) => [`.${ending}`, type] as const),
  ].map(([end, type]) => `~${end.replaceAll('.', '\\.')}$ ${quoted(type)}`);
  const encodings = Object.keys(siblingEndings).join(' ');
  return `# ${generated}
# Import it in /etc/caddy/Caddyfile: import ${root.replace(/public$/, 'Caddyfile')}

(site_headers) {
	header {
${indented(everywhere, 2)}
	}
}

(site_file_headers) {
	map {path} {site_type} {
${indented([...types, 'default ""'], 2)}
	}
	import site_headers
${indented(kinds, 1)}
	header Content-Type {site_type}
}

(site_api) {
	reverse_proxy ${api} {
		header_up Host {upstream_hostport}
		lb_try_duration 30s
		lb_try_interval 50ms
		transport http {
			dial_timeout 2s
			# Shorter than the API's 5 s: requests on a connection that it closes would fail.
			keepalive 3s
			# Otherwise Caddy asks for gzip, and unpacks it for clients that do not accept it.
			compression off
		}
	}
}

${publicUrl} {
	root * ${quoted(root)}
	request_body {
		max_size 16MB
	}
	route {
		# The API does not read larger bodies. With max_size alone, Caddy would respond with 502.
		@tooLarge header_regexp Content-Length ${tooLargeLength}
		error @tooLarge 413

		@change not method GET HEAD
		route @change {
			import site_api
		}

		# /about for /about/ and /about.html
		@moved {
			path_regexp "(?:[^/]/+|\\.html|^/index)$"
			not path /api/*
			not expression \`{path}.startsWith("//") || {path}.contains("\\\\")\`
		}
		route @moved {
			import site_headers
			uri path_regexp /+$ ""
			uri strip_suffix .html
			rewrite /index /
			redir {uri} 308
		}

		@hidden path /404 ${Object.values(siblingEndings)
      .map((ending) => `*${ending}`)
      .join(' ')}
		error @hidden 404

		@file file {
			try_files {path} {path}.html {path}index.html
		}
		route @file {
			rewrite * {file_match.relative}
			import site_file_headers
			file_server {
				precompressed ${encodings}
			}
		}

		@api path ${apiPaths.join(' ')}
		route @api {
			import site_api
		}
		error 404
	}
	handle_errors {
		@missing expression {err.status_code} == 404
		route @missing {
			rewrite * /404.html
			import site_file_headers
			file_server {
				precompressed ${encodings}
				status 404
			}
		}
		import site_headers
		respond "{err.status_code} {err.status_text}" {err.status_code}
	}
}
`;
}
