import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { isFullRun } from './full-run.ts';

/** WCAG 2.1 AA and best practices. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];

/** Rules that depend on the theme. */
const rulesOfColor = ['color-contrast', 'link-in-text-block'];

export const findings = (page: Page, where: string): Promise<string[]> =>
  linesOf(new AxeBuilder({ page }).withTags(rules), where);

/** In full runs; otherwise phones are checked in the dark theme and desktops in the light one. */
export async function findingsInBothThemes(page: Page, where: string): Promise<string[]> {
  if (!isFullRun) {
    const isPhone = (page.viewportSize()?.width ?? 0) < 600;
    await page.emulateMedia({ colorScheme: isPhone ? 'dark' : 'light' });
    return findings(page, where);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  const found = await findings(page, `${where}, light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  const colors = new AxeBuilder({ page }).withRules(rulesOfColor);
  return [...found, ...(await linesOf(colors, `${where}, dark`))];
}

async function linesOf(axe: AxeBuilder, where: string): Promise<string[]> {
  // Without a page per frame of another origin: there are none.
  const { violations } = await axe.setLegacyMode().analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${where}: ${id}: ${node.html} (${node.failureSummary})`),
  );
}
