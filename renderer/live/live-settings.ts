/** How a person wants their live session; kept on this machine by the browser. */

import type { LiveAction } from '#contract';
import { keepValue, keptValue } from '../base/kept-value.ts';
import { takeLastViewedHead } from '../base/last-viewed-head.ts';
import { liveProfileId } from '../base/live-activity.ts';
import { createStore } from '../base/store.ts';
import { type FaceStyle, plainFaceStyle } from '../speaking/face-style.ts';
import { type Framing, framings } from '../speaking/framing.ts';

export interface LiveSettings {
  /** The initial microphone; empty: the system's default. */
  deviceId: string;
  /** Its name: browsers change ids, and the device is then found again by name. */
  deviceLabel: string;
  /** The browser's processing of the microphone's sound. */
  echoCancellation: boolean;
  noiseSuppression: boolean;
  autoGainControl: boolean;
  /** Empty: the default profile. */
  profileId: string;
  /** Empty: the default head. */
  modelId: string;
  /** Decibels on the input. */
  sensitivity: number;
  gate: boolean;
  /** Root mean square below which sound counts as silence. */
  threshold: number;
  lookahead: 0 | 20 | 40 | 60;
  /** The engine takes noise from the sound before it makes a face of it. */
  suppressNoise: boolean;
  style: FaceStyle;
  /**
   * Mirrors the page's own view. The pop-out window has its own switch in `popOut`.
   */
  mirror: boolean;
  /** The head breathes, blinks and looks about while no voice drives it. */
  idle: boolean;
  /** The eyes follow the pointer over the head. */
  followPointer: boolean;
  framing: Framing;
  /** 0..1 */
  monitor: number;
  pushToTalk: boolean;
  countdown: boolean;
  /** Buttons of the expressions are on the stage. */
  pads: boolean;
  background: Background;
  /** For the background `own`: `#rrggbb`. */
  ownColour: string;
  popOut: { size: PopOutSize; onTop: boolean; mirror: boolean; framing: Framing };
  /** As `keyOf` gives them; empty: none. */
  keys: Record<LiveAction, string>;
  /** Whether `hotkeys` are taken from the system while Live is open. */
  hotkeysOn: boolean;
  /** As Electron writes them; empty: none. */
  hotkeys: Record<LiveAction, string>;
}

/** Sizes of the head's own window in pixels: square for a corner of the picture, and the two of video. */
export const popOutSizes = ['480x480', '720x720', '1080x1080', '1280x720', '1920x1080'] as const;
type PopOutSize = (typeof popOutSizes)[number];

/** Background of the head: the studio's stage, a key colour, or none. */
export const backgrounds = ['stage', 'green', 'blue', 'magenta', 'own', 'none'] as const;
export type Background = (typeof backgrounds)[number];

/** The colours that OBS's chroma key knows by name. */
const chroma = { green: '#00ff00', blue: '#0000ff', magenta: '#ff00ff' } as const;

/** As `SpeakingHead` takes it. @param nothing what stands for no background at all */
export function backgroundOf(
  { background, ownColour }: Pick<LiveSettings, 'background' | 'ownColour'>,
  nothing?: 'transparent',
): { background?: string } {
  if (background === 'own') return { background: ownColour };
  if (background === 'none') return nothing ? { background: nothing } : {};
  return background === 'stage' ? {} : { background: chroma[background] };
}

export const plainKeys: Record<LiveAction, string> = {
  speak: 's',
  interrupt: 'x',
  talk: 'Space',
  mute: 'm',
  record: 'r',
  popOut: 'p',
  framing: 'c',
  expression1: '1',
  expression2: '2',
  expression3: '3',
  expression4: '4',
  expression5: '5',
  expression6: '6',
  expression7: '7',
  expression8: '8',
  expression9: '9',
};
/** Off by default, with two modifiers so that conflicts with other programs are unlikely. */
export const plainHotkeys = Object.fromEntries(
  Object.entries(plainKeys).map(([action, key]) => [
    action,
    `Control+Alt+${key.length === 1 ? key.toUpperCase() : key}`,
  ]),
) as Record<LiveAction, string>;

const plain: LiveSettings = {
  deviceId: '',
  deviceLabel: '',
  // A measuring tool wants the sound as it is: no echo canceller, no gain that rides up and down.
  echoCancellation: false,
  noiseSuppression: false,
  autoGainControl: false,
  profileId: '',
  modelId: '',
  sensitivity: 0,
  gate: false,
  threshold: 0.004,
  lookahead: 20,
  suppressNoise: false,
  style: plainFaceStyle,
  mirror: true,
  idle: true,
  followPointer: false,
  framing: 'shoulders',
  monitor: 0,
  pushToTalk: false,
  countdown: true,
  pads: true,
  background: 'stage',
  ownColour: '#00b140',
  popOut: { size: '720x720', onTop: true, mirror: false, framing: 'shoulders' },
  keys: plainKeys,
  hotkeysOn: false,
  hotkeys: plainHotkeys,
};
const key = 'likeness.live';

/**
 * Settings from before the window had its own mirror lack that field: it is off then, whatever the page's
 * setting. Values of a wrong type get their default, because a back-up may have been edited by hand.
 */
const kept = (): LiveSettings => keptValue(key, plain, (text) => fitted(plain, JSON.parse(text)));

/** The allowed values of settings with a fixed set of choices. */
const choices: Record<string, readonly unknown[]> = {
  lookahead: [0, 20, 40, 60],
  framing: framings,
  background: backgrounds,
  size: popOutSizes,
};

/** Minimum and maximum of numbers that have a useful range. */
const ranges: Record<string, readonly [number, number]> = {
  sensitivity: [-12, 24],
  threshold: [0, 1],
  monitor: [0, 1],
  smoothing: [0, 1000],
  jaw: [0, 2],
  mouth: [0, 2],
  cheeks: [0, 2],
  brows: [0, 2],
  eyes: [0, 2],
};

/** The shape of `plain` with those values of `found` that are of the same kind. */
function fitted<T extends object>(plain: T, found: unknown): T {
  const given = typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : {};
  return Object.fromEntries(
    Object.entries(plain).map(([name, usual]: [string, unknown]) => {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      if (typeof usual === 'object' && usual !== null) return [name, fitted(usual, value)];
      const [min, max] = ranges[name] ?? [-Infinity, Infinity];
      const fits =
        choices[name]?.includes(value) ??
        (typeof value === typeof usual && (typeof value !== 'number' || (value >= min && value <= max)));
      return [name, fits ? value : usual];
    }),
  ) as T;
}

const store = createStore(kept());
export const liveSettings = store.get;
export const useLiveSettings = store.use;

/** Told after each change. Returns the end of the subscription. */
export const onLiveSettings = store.subscribe;

export function changeLive(changes: Partial<LiveSettings>): void {
  store.set({ ...store.get(), ...changes });
  keepValue(key, JSON.stringify(store.get()));
}

/**
 * Takes over the head viewed in the library since the last visit, unless a session is running: its head may
 * also be shown in its own window.
 */
export function adoptLastViewedHead(): void {
  const id = takeLastViewedHead();
  if (id !== null && liveProfileId.get() === null) changeLive({ modelId: id });
}

/** The text that is kept, and what it takes to keep another one. */
export const liveText = {
  get: (): string => JSON.stringify(store.get()),
  set: (text: string): void => {
    changeLive(fitted(plain, JSON.parse(text)));
  },
  /** Names of the settings that differ in this text. */
  differing: (text: string): string[] => {
    const now = store.get();
    return Object.entries(fitted(plain, JSON.parse(text)))
      .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(now[name as keyof LiveSettings]))
      .map(([name]) => name);
  },
};

/** Another window of the studio changed them; the head's own window follows the page. */
window.addEventListener('storage', (event) => {
  if (event.key === key) store.set(kept());
});
