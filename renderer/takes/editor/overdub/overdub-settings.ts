/** How a person records tries; kept on this machine by the browser. */
import { type FaceRegion, faceRegions } from '@likeness/proto/takes/edits/edit_limits.ts';
import { keepValue, keptValue } from '../../../base/kept-value.ts';
import { createStore } from '../../../base/store.ts';

interface OverdubSettings {
  /** Armed regions; all five: the whole face. */
  readonly armed: readonly FaceRegion[];
  /** Seconds that play before the in point. */
  readonly preRoll: number;
  /** Seconds that the take lacks before the in point are counted with clicks; else in silence. */
  readonly clicks: boolean;
  /** The take is heard meanwhile. */
  readonly hearsTake: boolean;
}

const defaults: OverdubSettings = { armed: ['mouth'], preRoll: 2, clicks: true, hearsTake: true };
/** Seconds. */
const maxPreRoll = 10;
const key = 'likeness.punch';

/** @param otherwise where storage is switched off, or holds something else */
const kept = (otherwise: OverdubSettings): OverdubSettings =>
  keptValue(key, otherwise, (text) => readPunchSettings(JSON.parse(text)));

/** Reads the valid settings; others get their defaults. */
function readPunchSettings({ armed, preRoll, clicks, hearsTake }: Record<string, unknown>): OverdubSettings {
  const regions = faceRegions.filter((region) => Array.isArray(armed) && armed.includes(region));
  const isRoll = typeof preRoll === 'number' && preRoll >= 0 && preRoll <= maxPreRoll;
  return {
    armed: regions.length > 0 ? regions : defaults.armed,
    preRoll: isRoll ? preRoll : defaults.preRoll,
    clicks: typeof clicks === 'boolean' ? clicks : defaults.clicks,
    hearsTake: typeof hearsTake === 'boolean' ? hearsTake : defaults.hearsTake,
  };
}

const store = createStore(kept(defaults));
export const overdubSettings = store.get;
export const usePunchSettings = store.use;

export function changePunch(changes: Partial<OverdubSettings>): void {
  // Another tab may have set others of them.
  store.set({ ...kept(store.get()), ...changes });
  keepValue(key, JSON.stringify(store.get()));
}

/** With a region armed or no longer; one always is. */
export function toggledArm(armed: readonly FaceRegion[], region: FaceRegion): FaceRegion[] {
  const next = armed.includes(region) ? armed.filter((other) => other !== region) : [...armed, region];
  return next.length > 0 ? faceRegions.filter((each) => next.includes(each)) : [...armed];
}
