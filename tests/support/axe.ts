import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';

/** WCAG 2.1 at level AA, and what the field agrees on beyond it. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];

/** Those of them that look at colors: all that a theme changes. */
const rulesOfColor = ['color-contrast', 'link-in-text-block'];

/** What axe finds on the page as it is now: a line for each element. */
export const findings = (page: Page, where: string): Promise<string[]> =>
  linesOf(new AxeBuilder({ page }).withTags(rules), where);

/** The same in both themes, by the operating system's choice. */
export async function findingsInBothThemes(page: Page, where: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const found = await findings(page, `${where}, light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  const colors = new AxeBuilder({ page }).withRules(rulesOfColor);
  return [...found, ...(await linesOf(colors, `${where}, dark`))];
}

async function linesOf(axe: AxeBuilder, where: string): Promise<string[]> {
  // Otherwise each analysis opens a page of its own, for frames of other origins; ours have none.
  const { violations } = await axe.setLegacyMode().analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${where}: ${id}: ${node.html} (${node.failureSummary})`),
  );
}
