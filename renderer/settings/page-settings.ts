/** Settings that the page stores itself, for a back-up; each part as its stored text. */
import type { PageSettings } from '#contract';
import { viewText } from '../library/model-list.ts';
import { liveText } from '../live/live-settings.ts';

const parts: Record<
  keyof PageSettings,
  { get(): string; set(text: string): void; differing(text: string): string[] }
> = { live: liveText, libraryView: viewText };
const names = Object.keys(parts) as (keyof PageSettings)[];

export const pageSettings = (): PageSettings =>
  Object.fromEntries(names.map((name) => [name, parts[name].get()]));

/** Returns the settings of each part that would change. */
export const differingParts = (page: PageSettings): { part: keyof PageSettings; settings: string[] }[] =>
  names
    .map((part) => ({ part, settings: page[part] === undefined ? [] : parts[part].differing(page[part]) }))
    .filter(({ settings }) => settings.length > 0);

export function setPage(page: PageSettings): void {
  for (const name of names) if (page[name] !== undefined) parts[name].set(page[name]);
}
