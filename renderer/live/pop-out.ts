/**
 * The live head's own window, without controls, for programs that capture windows. It is our own page under
 * `#/pop-out`: main opens it on the desktop, the page itself in a browser. There is only one session: the
 * window requests its face from the page before each drawing. Both then show the same face, even while the
 * page is hidden and does not draw.
 */

import type { FaceState } from '@likeness/proto/live/face_state.ts';
import type { LiveAction } from '#contract';
import { parseRoute, popOutAddress } from '../base/route.ts';
import { createStore } from '../base/store.ts';
import { studio } from '../base/studio.ts';
import { sessionNow } from './live-session.ts';
import { liveSettings } from './live-settings.ts';
import { shownFace } from './shown-face.ts';

/** Messages between page and window. */
export type PopOutMessage =
  | { kind: 'opened' | 'ask' | 'close' }
  /** `open`: the page has a session, so it takes precedence over one that only shows Live. */
  | { kind: 'face'; face: FaceState | null; open: boolean }
  /** A key of Live's was pressed, or the talk key let go, in the window. */
  | { kind: 'key'; action: LiveAction; isDown: boolean };

export const popOutChannel = (): BroadcastChannel => new BroadcastChannel('likeness.pop-out');
/** A window holds this lock, shared, until it ends for whatever reason. */
export const popOutLock = 'likeness.pop-out';

let channel: BroadcastChannel | undefined;
let onKey: (action: LiveAction, isDown: boolean) => void = () => undefined;
/** Handles the window's keys. */
export function onPopOutKey(listener: typeof onKey): void {
  onKey = listener;
}
/** Whether this page draws the head, with a session or without. */
const showsHead = (): boolean => !document.hidden && parseRoute(window.location.hash).page === 'live';
/** Whether there is a window. */
export const popOutOpen = createStore(false);

async function followWindow(): Promise<void> {
  if (popOutOpen.get()) return;
  popOutOpen.set(true);
  // Granted when no window holds it any more.
  await navigator.locks.request(popOutLock, () => undefined);
  popOutOpen.set(false);
}

/** Starts to answer windows, including one that was open before this page. */
export async function servePopOut(): Promise<void> {
  if (channel) return;
  channel = popOutChannel();
  channel.onmessage = ({ data }: MessageEvent<PopOutMessage>) => {
    if (data.kind === 'opened') followWindow().catch(() => popOutOpen.set(false)); // the page is going away
    // Another tab may have the session: a page without session and head doesn't answer.
    const open = sessionNow().kind === 'open';
    if (data.kind === 'ask' && (open || showsHead()))
      channel?.postMessage({ kind: 'face', face: shownFace(), open } satisfies PopOutMessage);
    if (data.kind === 'key' && (open || showsHead())) onKey(data.action, data.isDown);
  };
  const { held } = await navigator.locks.query();
  if (held?.some(({ name }) => name === popOutLock)) await followWindow();
}

/**
 * Opens the window, or makes the open one as the settings have it. Call it while a click or a key is handled:
 * otherwise browsers block the window.
 *
 * @returns false where the browser does not let it open
 */
export async function openPopOut(shell: 'electron' | 'browser' | 'none'): Promise<boolean> {
  const { popOut, background } = liveSettings();
  const [width, height] = popOut.size.split('x').map(Number) as [number, number];
  if (shell === 'electron') {
    await studio.live.popOut({ width, height, transparent: background === 'none', onTop: popOut.onTop });
    return true;
  }
  const address = `${window.location.pathname}${popOutAddress}`;
  return window.open(address, 'likeness-pop-out', `popup,width=${width},height=${height}`) !== null;
}

export const closePopOut = (): void => channel?.postMessage({ kind: 'close' } satisfies PopOutMessage);
