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

/** What axe finds on a screen, or in one part of it, once nothing moves: colours half-way to another theme are no fault. */
export async function accessibilityFaults(page: Page, within?: string): Promise<AccessibilityFault[]> {
  await settled(page);
  // The studio has no frames of other origins: axe need not open a second page to put its findings together.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await (within ? axe.include(within) : axe).analyze();
  return violations.map(({ id, impact, nodes }) => ({
    id,
    impact: impact ?? 'minor',
    where: nodes.map(({ target }) => target.join(' ')),
  }));
}

/** Those of `accessibilityFaults` that keep people out. */
export async function seriousFaults(page: Page, within?: string): Promise<AccessibilityFault[]> {
  const faults = await accessibilityFaults(page, within);
  return faults.filter(({ impact }) => impact === 'serious' || impact === 'critical');
}
