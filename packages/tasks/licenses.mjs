import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Licenses that only require their text to be included (spdx.org/licenses). */
const accepted = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC'],
  ...['MIT', 'MIT-0', 'OFL-1.1', 'Unlicense'],
]);

/**
 * @typedef {object} LicensesOptions
 * @property {readonly string[]} [also] folders of packages whose files are included although no
 *   module imports them, such as fonts
 */

/**
 * A plugin for Rolldown and Vite: writes the licenses of all packages in a bundle to
 * `licenses.txt`. Fails the build if a package has no license or one that is not accepted.
 * @param {LicensesOptions} [options]
 */
export const licenses = ({ also = [] } = {}) => ({
  name: 'licenses',
  /**
   * @this {{ emitFile(file: { type: 'asset', fileName: string, source: string }): void }}
   * @param {unknown} _options
   * @param {Record<string, { type: string, moduleIds?: string[] }>} bundle
   */
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
    const folders = new Set([...modules.flatMap((id) => packageFolderOf(id) ?? []), ...also]);
    const source = licensesText([...folders].map(readPackage));
    this.emitFile({ type: 'asset', fileName: 'licenses.txt', source });
  },
});

/**
 * The folder of the package that a module belongs to. Null for our own modules and virtual ones.
 * @param {string} id
 */
export const packageFolderOf = (id) =>
  /^\0?((?:\/|[a-z]:).*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//i.exec(
    id.replaceAll('\\', '/'),
  )?.[1] ?? null;

/**
 * @typedef {object} Package
 * @property {string} name
 * @property {string} version
 * @property {string} license an SPDX expression
 * @property {string} text of its license file
 */

/**
 * @param {string} folder
 * @returns {Package}
 */
export const readPackage = (folder) => {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) throw new Error(`${folder} is not a package: it has no package.json.`);
  const { name, version, license = '' } = JSON.parse(readFileSync(file, 'utf8'));
  const names = readdirSync(folder)
    .filter((entry) => /^(?:licen[cs]e|copying)/i.test(entry))
    .sort();
  const text = names.map((entry) => readFileSync(join(folder, entry), 'utf8').trim()).join('\n\n');
  return { name, version, license: String(license), text };
};

/**
 * @param {readonly Package[]} packages
 * @throws if a license is missing or not accepted
 */
export const licensesText = (packages) => {
  const unique = new Map(packages.map((each) => [`${each.name} ${each.version}`, each]));
  const sorted = [...unique].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const refused = sorted.filter(([, { license }]) => !isAccepted(license));
  if (refused.length > 0) {
    const list = refused
      .map(([title, { license }]) => `${title} (${license || 'none'})`)
      .join(', ');
    throw new Error(
      `The licenses of these packages are not accepted in packages/tasks/licenses.mjs: ${list}. Read their terms, then accept them there, or use another package.`,
    );
  }
  const sections = sorted.map(
    ([title, { license, text }]) => `${title} (${license})\n\n${text || noText}\n`,
  );
  return `This site contains the following software.\n\n${sections.join(`\n${'-'.repeat(80)}\n\n`)}`;
};

const noText = 'Its package has no license file. The terms are at https://spdx.org/licenses/.';

/**
 * If there are alternatives, one of them must be accepted.
 * @param {string} expression
 */
const isAccepted = (expression) =>
  expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((license) => accepted.has(license));
