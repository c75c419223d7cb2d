/**
 * Languages. Each place keeps its own words in its own folder (`words/en.ts`, `words/zh-CN.ts`); here they
 * become i18next namespaces. English is the model: its keys are the type of every other language, so a
 * missing word does not compile.
 */
import { en as activityEn } from '../activity/words/en.ts';
import { zhCN as activityZhCN } from '../activity/words/zh-CN.ts';
import type { Language } from '../base/language.ts';
import type { SameKeys } from '../base/text/same-keys.ts';
import { en as libraryEn } from '../library/words/en.ts';
import { zhCN as libraryZhCN } from '../library/words/zh-CN.ts';
import { en as liveEn } from '../live/words/en.ts';
import { zhCN as liveZhCN } from '../live/words/zh-CN.ts';
import { en as portraitsEn } from '../portraits/words/en.ts';
import { zhCN as portraitsZhCN } from '../portraits/words/zh-CN.ts';
import { en as sendEn } from '../send/words/en.ts';
import { zhCN as sendZhCN } from '../send/words/zh-CN.ts';
import { en as settingsEn } from '../settings/words/en.ts';
import { zhCN as settingsZhCN } from '../settings/words/zh-CN.ts';
import { en as takeExportEn } from '../takes/export/words/en.ts';
import { zhCN as takeExportZhCN } from '../takes/export/words/zh-CN.ts';
import { en as takesEn } from '../takes/words/en.ts';
import { zhCN as takesZhCN } from '../takes/words/zh-CN.ts';
import { en as viewerEn } from '../viewer/words/en.ts';
import { zhCN as viewerZhCN } from '../viewer/words/zh-CN.ts';
import { en as appEn } from './words/en.ts';
import { zhCN as appZhCN } from './words/zh-CN.ts';

const english = {
  app: appEn,
  portraits: portraitsEn,
  library: libraryEn,
  live: liveEn,
  takes: takesEn,
  send: sendEn,
  takeExport: takeExportEn,
  settings: settingsEn,
  activity: activityEn,
  viewer: viewerEn,
};

type Words = SameKeys<typeof english>;

const chinese: Words = {
  app: appZhCN,
  portraits: portraitsZhCN,
  library: libraryZhCN,
  live: liveZhCN,
  takes: takesZhCN,
  send: sendZhCN,
  takeExport: takeExportZhCN,
  settings: settingsZhCN,
  activity: activityZhCN,
  viewer: viewerZhCN,
};

export const dictionary: Record<Language, Words> = { en: english, 'zh-CN': chinese };

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app';
    resources: typeof english;
  }
}
