import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@app/db/testing/free-port';
import { type ServerProcess, startServer, versionOf } from './server-process.ts';

/** One worker, with gzip_static and open_file_cache. */
export async function startNginx(root: string, folder: string): Promise<ServerProcess> {
  const version = versionOf('nginx', '-v');
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const config = join(folder, 'nginx.conf');
  const isRoot = process.getuid?.() === 0;
  writeFileSync(
    config,
    `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr error;
${isRoot ? 'user root;' : ''}
events { worker_connections 512; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
  types { text/html html; }
  open_file_cache max=10000 inactive=60s;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port}; root ${root};
    gzip_static on;
    location / { try_files $uri.html $uri =404; }
  }
}
`,
  );
  return await startServer({
    name: `nginx ${version}, gzip_static`,
    command: 'nginx',
    args: ['-p', folder, '-c', config],
    url: `http://127.0.0.1:${port}`,
  });
}

/** One thread, with precompressed files. */
export async function startCaddy(root: string, folder: string): Promise<ServerProcess> {
  const version = versionOf('caddy', 'version');
  mkdirSync(folder, { recursive: true });
  const url = `http://127.0.0.1:${await freePort()}`;
  const config = join(folder, 'Caddyfile');
  writeFileSync(
    config,
    `{
	admin off
	auto_https off
}
${url} {
	root * ${root}
	try_files {path}.html {path}
	file_server {
		precompressed gzip
	}
}
`,
  );
  return await startServer({
    name: `Caddy ${version}, precompressed`,
    command: 'caddy',
    args: ['run', '--config', config, '--adapter', 'caddyfile'],
    url,
    env: { GOMAXPROCS: '1', XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
}
