import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** From Debian: `apt-get install caddy nginx-light`, which `pnpm test:full` does. */
export const webServers = { caddy: '/usr/bin/caddy', nginx: '/usr/sbin/nginx' } as const;

export type WebServer = keyof typeof webServers;

/**
 * Starts a web server with the configuration of an export, as its operator would include it.
 * @param exported the folder of `site export`
 * @param url responds once the server is ready
 */
export async function startWebServer(
  name: WebServer,
  exported: string,
  folder: string,
  url: string,
): Promise<AsyncDisposable> {
  mkdirSync(folder, { recursive: true });
  const child = name === 'caddy' ? caddy(exported, folder) : nginx(exported, folder, url);
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}: ${log}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Caddy does not accept a global block in an imported file. */
function caddy(exported: string, folder: string): ChildProcess {
  const config = join(folder, 'Caddyfile');
  const global = '{\n\tadmin off\n\tskip_install_trust\n}\n';
  writeFileSync(config, `${global}import ${join(exported, 'Caddyfile')}\n`);
  return spawn(webServers.caddy, ['run', '--config', config, '--adapter', 'caddyfile'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder },
  });
}

function nginx(exported: string, folder: string, url: string): ChildProcess {
  const { port } = new URL(url);
  const config = join(folder, 'nginx.conf');
  const isRoot = process.getuid?.() === 0;
  writeFileSync(
    config,
    `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr notice;
${isRoot ? 'user root;' : ''}
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  include ${exported}/nginx/http.conf;
  server {
    listen ${port};
    listen [::]:${port};
    server_name localhost;
    include ${exported}/nginx/server.conf;
  }
}
`,
  );
  return spawn(webServers.nginx, ['-p', folder, '-c', config], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url, { redirect: 'manual' });
    return true;
  } catch {
    return false;
  }
}
