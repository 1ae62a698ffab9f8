import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { policyFor } from './policy.ts';

const policyElement = /<meta http-equiv="content-security-policy" content="([^"]*)">/;

/**
 * Gives each built page a policy with the hashes of what it contains, in place of
 * Astro's with those of the whole site.
 * @throws when a page came out of the build without a policy
 */
export const writePolicies = async (folder: URL): Promise<void> => {
  const names = await readdir(folder, { recursive: true });
  for (const name of names.filter((one) => one.endsWith('.html'))) {
    const file = join(fileURLToPath(folder), name);
    const html = await readFile(file, 'utf8');
    const policy = policyElement.exec(html)?.[1];
    if (policy === undefined) throw new Error(`${name} has no content security policy`);
    const others = policy
      .split(';')
      .map((directive) => directive.trim())
      .filter((directive) => directive && !/^(?:script|style)-src /.test(directive));
    const element = `<meta http-equiv="content-security-policy" content="${policyFor(html, others, () => true)}">`;
    await writeFile(file, html.replace(policyElement, element));
  }
};
