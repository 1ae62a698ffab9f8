import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pnpm } from '@app/tasks/install';
import { describe, expect, it } from 'vitest';
import { isFullRun } from '../support/full-run.ts';
import { root } from './sources.ts';

/**
 * More than packages/tasks/licenses.mjs accepts in bundles. Packages with the additional licenses
 * are not bundled: libvips is loaded as a library, the others build the site.
 */
const acceptedOutsideOfBundles = [
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC'],
  ...['MIT', 'MIT-0', 'OFL-1.1', 'Unlicense', '(MIT OR CC0-1.0)', 'MPL-2.0', 'Python-2.0'],
  'LGPL-3.0-or-later',
];

interface Component {
  name: string;
  version: string;
  purl: string;
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[];
}

/** The command of docs/dependencies.md. It takes seconds, and npx may have to download pnpm. */
describe.runIf(isFullRun)('the SBOM', () => {
  const [command = '', ...args] = isFullRun ? pnpm() : [];
  const bom = isFullRun
    ? (JSON.parse(
        execFileSync(
          command,
          [...args, 'sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--prod'],
          { cwd: root, encoding: 'utf8', maxBuffer: 1e8 },
        ),
      ) as { bomFormat: string; components: Component[] })
    : { bomFormat: '', components: [] };
  const others = bom.components.filter(({ purl }) => !purl.startsWith('pkg:npm/%40app/'));

  it('names every direct dependency of the server and the site', () => {
    expect(bom.bomFormat).toBe('CycloneDX');
    const names = new Set(
      others.map(({ purl }) => decodeURIComponent(purl).replace(/^pkg:npm\/(.+)@.*$/, '$1')),
    );
    const direct = readdirSync(join(root, 'apps')).flatMap((app) => {
      const manifest = JSON.parse(readFileSync(join(root, 'apps', app, 'package.json'), 'utf8'));
      return Object.keys(manifest.dependencies).filter((name) => !name.startsWith('@app/'));
    });
    expect(direct.filter((name) => !names.has(name))).toEqual([]);
  });

  it('contains only accepted licenses', () => {
    const refused = others.filter(({ licenses = [] }) => {
      const ids = licenses.map(
        ({ license, expression }) => license?.id ?? license?.name ?? expression,
      );
      return ids.length === 0 || !ids.every((id) => acceptedOutsideOfBundles.includes(id ?? ''));
    });
    expect(refused.map(({ name, licenses }) => ({ name, licenses }))).toEqual([]);
  });
});
