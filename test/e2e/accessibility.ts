import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { settled } from './settled.ts';

export interface AccessibilityFault {
  /** axe's rule. */
  readonly id: string;
  readonly impact: string;
  /** Elements as CSS selectors. */
  readonly where: readonly string[];
}

interface Checked {
  /** One part of the screen, as a CSS selector; default: all of it. */
  within?: string;
  /** Only these rules of axe. */
  rules?: readonly string[];
}

/** What axe finds on a screen once nothing moves: colours half-way to another theme are no fault. */
export async function accessibilityFaults(
  page: Page,
  { within, rules }: Checked = {},
): Promise<AccessibilityFault[]> {
  await settled(page);
  // The studio has no frames of other origins: axe need not open a second page to put its findings together.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  if (within) axe.include(within);
  if (rules) axe.withRules([...rules]);
  const { violations } = await axe.analyze();
  return violations.map(({ id, impact, nodes }) => ({
    id,
    impact: impact ?? 'minor',
    where: nodes.map(({ target }) => target.join(' ')),
  }));
}

/** Those of `accessibilityFaults` that keep people out. */
export async function seriousFaults(page: Page, checked: Checked = {}): Promise<AccessibilityFault[]> {
  const faults = await accessibilityFaults(page, checked);
  return faults.filter(({ impact }) => impact === 'serious' || impact === 'critical');
}
