import type { AppInfo } from '#contract';

/** The sections of the settings, in their order: the settings show them, the palette leads to them. */
export const sectionNames = [
  'general',
  'libraries',
  'microphone',
  'drawing',
  'shortcuts',
  'exports',
  'pronunciations',
  'connections',
  'keys',
  'engine',
  'pages',
  'storage',
  'backUp',
  'updates',
  'help',
  'about',
] as const;
export type SectionName = (typeof sectionNames)[number];

/** The desktop app has one page, in a window of its own. */
export const hasSection = (name: SectionName, shell: AppInfo['shell'] | undefined): boolean =>
  name !== 'pages' || shell === 'browser';
