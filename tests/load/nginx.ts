import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/site-process.ts';

/** nginx on the same published files, with gzip_static and open_file_cache. */
export async function startNginx(
  root: string,
  folder: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const config = join(folder, 'nginx.conf');
  writeFileSync(
    config,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr error;
user root;
events { worker_connections 512; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
  types { text/html html; }
  open_file_cache max=10000 inactive=60s;
  server {
    listen 127.0.0.1:${port}; root ${root};
    gzip_static on;
    location / { try_files $uri.html $uri =404; }
  }
}
`,
  );
  const child: ChildProcess = spawn('nginx', ['-p', folder, '-c', config], { stdio: 'inherit' });
  const url = `http://127.0.0.1:${port}`;
  await answers(url, child);
  return {
    url,
    async stop() {
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    },
  };
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    try {
      await fetch(url);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  throw new Error(`nginx ended with ${child.exitCode}`);
}
