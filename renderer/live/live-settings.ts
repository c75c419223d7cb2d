/** How a person wants their live session; kept on this machine by the browser. */
import { useSyncExternalStore } from 'react';
import { type FaceStyle, plainFaceStyle } from './face-driver.ts';

export interface LiveSettings {
  deviceId: string;
  /** Empty: the default profile. */
  profileId: string;
  /** Empty: the default head. */
  modelId: string;
  /** Decibels on the input. */
  sensitivity: number;
  gate: boolean;
  /** Root mean square below which is silence. */
  threshold: number;
  lookahead: 0 | 20 | 40 | 60;
  style: FaceStyle;
  mirror: boolean;
  /** 0..1 */
  monitor: number;
  pushToTalk: boolean;
  countdown: boolean;
  background: 'stage' | 'green' | 'blue' | 'magenta' | 'none';
}

const plain: LiveSettings = {
  deviceId: '',
  profileId: '',
  modelId: '',
  sensitivity: 0,
  gate: false,
  threshold: 0.004,
  lookahead: 20,
  style: plainFaceStyle,
  mirror: true,
  monitor: 0,
  pushToTalk: false,
  countdown: true,
  background: 'stage',
};
const key = 'likeness.live';

function kept(): LiveSettings {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<LiveSettings>;
    return { ...plain, ...found, style: { ...plain.style, ...found.style } };
  } catch {
    return plain; // storage is switched off, or holds something else
  }
}

let settings = kept();
const watchers = new Set<() => void>();

export const liveSettings = (): LiveSettings => settings;

export function changeLive(changes: Partial<LiveSettings>): void {
  settings = { ...settings, ...changes };
  try {
    localStorage.setItem(key, JSON.stringify(settings));
  } catch {
    // It holds for as long as the page does.
  }
  for (const watcher of watchers) watcher();
}

export const useLiveSettings = (): LiveSettings =>
  useSyncExternalStore(
    (changed) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    () => settings,
  );
