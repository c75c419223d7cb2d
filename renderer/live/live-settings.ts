/** How a person wants their live session; kept on this machine by the browser. */
import { createStore } from '../app/store.ts';
import { type FaceStyle, plainFaceStyle } from '../speaking/face-driver.ts';
import type { PopOutSize } from './pop-out.ts';

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
  background: Background;
  /** For the background `own`: `#rrggbb`. */
  ownColour: string;
  popOut: { size: PopOutSize; onTop: boolean };
}

/** What is behind the head: the studio's stage, a colour to be keyed out, or nothing. */
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
  ownColour: '#00b140',
  popOut: { size: '720x720', onTop: true },
};
const key = 'likeness.live';

function kept(): LiveSettings {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<LiveSettings>;
    return {
      ...plain,
      ...found,
      style: { ...plain.style, ...found.style, gains: { ...plain.style.gains, ...found.style?.gains } },
      popOut: { ...plain.popOut, ...found.popOut },
    };
  } catch {
    return plain; // storage is switched off, or holds something else
  }
}

const store = createStore(kept());
export const liveSettings = store.get;
export const useLiveSettings = store.use;

export function changeLive(changes: Partial<LiveSettings>): void {
  store.set({ ...store.get(), ...changes });
  try {
    localStorage.setItem(key, JSON.stringify(store.get()));
  } catch {
    // It holds for as long as the page does.
  }
}

/** Another window of the studio changed them: the head's own follows the page. */
window.addEventListener('storage', (event) => {
  if (event.key === key) store.set(kept());
});
