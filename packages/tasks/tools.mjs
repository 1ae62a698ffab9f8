import { existsSync } from 'node:fs';
import { canInstallPackages, installPackages } from './debian.mjs';
import { run } from './run.mjs';

/** Programs of full tests by Debian package. @type {Record<string, string>} */
export const fullTestTools = {
  caddy: '/usr/bin/caddy',
  mmdebstrap: '/usr/bin/mmdebstrap',
  'nginx-light': '/usr/sbin/nginx',
  podman: '/usr/bin/podman',
  runc: '/usr/sbin/runc',
};

/** Programs of the benchmark. @type {Record<string, string>} */
export const benchTools = {
  caddy: '/usr/bin/caddy',
  hugo: '/usr/bin/hugo',
  'nginx-light': '/usr/sbin/nginx',
  wrk: '/usr/bin/wrk',
};

/** Debian packages that start a service. @type {[name: string, service: string][]} */
const services = [
  ['caddy', 'caddy'],
  ['nginx-light', 'nginx'],
];

/**
 * Installs what is missing, if possible. Tests that need missing tools are skipped and say why.
 * @param {Record<string, string>} tools
 * @param {string} purpose
 */
export const installTools = async (tools, purpose) => {
  const missing = Object.entries(tools).flatMap(([name, path]) => (existsSync(path) ? [] : [name]));
  if (missing.length === 0) return;
  if (!canInstallPackages()) {
    console.log(`Not installed, and only root on Debian can install it: ${missing.join(', ')}`);
    return;
  }
  console.log(`Installing ${missing.join(', ')} for ${purpose}`);
  await installPackages(missing, ['--no-install-recommends']);
  // Debian starts services when it installs them, except in containers, which have no systemd.
  if (!existsSync('/run/systemd/system')) return;
  for (const [name, service] of services) {
    if (missing.includes(name)) await run('systemctl', ['disable', '--now', service]);
  }
};
