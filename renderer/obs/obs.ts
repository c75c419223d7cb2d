/** The head alone, for OBS and other browser sources: transparent unless the person chose a colour. */
import type { ShapeDrive } from '@likeness/proto/face/shape_drives.ts';
import { type FaceState, restingFace } from '@likeness/proto/live/face_state.ts';
import { createIdleMotion } from '../speaking/idle-motion.ts';
import { PerformedFace } from '../speaking/performed-face.ts';
import { PlainStage } from '../speaking/plain-stage.ts';
import { Feed } from './feed.ts';

const performed = new PerformedFace(createIdleMotion(1));
const voice = restingFace();
const canvas = document.getElementById('head') as HTMLCanvasElement;
const stage = new PlainStage(canvas, (at) =>
  performed.at(at, { voice: voiceNow(), idle: true, expression: null, gaze: null }),
);
const feed = new Feed({
  url: new URL('frames', window.location.href.replace(/^http/, 'ws')).href,
  onAppearance(appearance) {
    document.body.style.background = appearance.background === 'none' ? 'transparent' : appearance.background;
    stage.setFraming(appearance);
    show(appearance.headUrl, appearance.drives);
  },
});

function voiceNow(): FaceState | null {
  const now = feed.face;
  if (!now) return null;
  const { channels, frame } = now;
  voice.channelNames = channels;
  voice.weights = Float32Array.from(frame.weights);
  voice.translation = frame.head.position;
  voice.rotation = frame.head.rotation;
  voice.gaze = frame.eyes;
  return voice;
}

/** Shows a head; one that is gone is replaced by the studio's own that the person chose. */
function show(url: string, drives: readonly ShapeDrive[]): void {
  const usual = 'asset/default-head/chosen';
  stage.show(url, drives).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'AbortError') return;
    if (url !== usual) show(usual, []);
  });
}
