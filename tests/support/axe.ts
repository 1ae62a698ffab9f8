import axe from 'axe-core';
import type { Page } from 'playwright/test';
import { isFullRun } from './full-run.ts';

/** WCAG 2.1 AA and best practices. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];

const rulesOfColor = ['color-contrast', 'link-in-text-block'];

/** @param within a selector; without it, the rules for whole pages apply, too */
export const findings = (page: Page, where: string, within?: string): Promise<string[]> =>
  run(page, where, { type: 'tag', values: rules }, within);

/** Applies all rules in the light theme, and those about color in the dark one. */
export async function findingsInBothThemes(
  page: Page,
  where: string,
  within?: string,
): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const found = await findings(page, `${where}, light`, within);
  await page.emulateMedia({ colorScheme: 'dark' });
  const colors = { type: 'rule', values: rulesOfColor } as const;
  return [...found, ...(await run(page, `${where}, dark`, colors, within))];
}

/** Only in full runs: for states that are similar to one that is always checked. */
export const findingsInFullRun: typeof findingsInBothThemes = async (page, where, within) =>
  isFullRun ? findingsInBothThemes(page, where, within) : [];

async function run(
  page: Page,
  where: string,
  runOnly: axe.RunOnly,
  within = 'html',
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(
    async ([context, options]) => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') };
      // The theme changes before the next frame, and then its colors fade in.
      await new Promise(requestAnimationFrame);
      const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
      await Promise.allSettled(transitions.map(({ finished }) => finished));
      // Describing the elements that pass would take a third of the time.
      const results = await axe.run(context, { ...options, resultTypes: ['violations'] });
      return results.violations;
    },
    [within, { runOnly }] as const,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${where}: ${id}: ${node.html} (${node.failureSummary})`),
  );
}
