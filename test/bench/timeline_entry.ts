/** Runs in the page: a take of ten minutes with every channel, drawn and edited as the editor does it. */
import { arkitBlendshapeNames, oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import { percentile } from '@likeness/proto/percentile.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { applyOperation, noEdits } from '@likeness/proto/takes/edits/apply_operation.ts';
import { faceRegions } from '@likeness/proto/takes/edits/edit_limits.ts';
import { noContext } from '@likeness/proto/takes/edits/edited_face.ts';
import { timeMap } from '@likeness/proto/takes/edits/time_map.ts';
import { encodeWav } from '@likeness/proto/wav.ts';
import { shapedTake } from '../../renderer/takes/editor/edits/edited-preview.ts';
import { drawTimeline, type TimelineScene } from '../../renderer/takes/editor/timeline/draw-timeline.ts';
import { SoundPeaks } from '../../renderer/takes/editor/timeline/sound-peaks.ts';
import { timelineColours } from '../../renderer/takes/editor/timeline/timeline-colours.ts';
import { timelineRows } from '../../renderer/takes/editor/timeline/timeline-rows.ts';

const seconds = 600;
const frameRate = 60;
const soundRate = 48_000;
const names = [...arkitBlendshapeNames, ...oculusVisemeNames];

/** Milliseconds. */
export interface TimelineFigures {
  readonly curves: number;
  readonly sound: number;
  /** 95th percentile of one picture, by what is seen. */
  readonly draws: Readonly<Record<'all' | 'minute' | 'words' | 'frames', number>>;
  /** From an edit to the face at the playhead and the curves in sight. */
  readonly edit: number;
}

function face(): PlayableFace {
  const frames = Array.from({ length: seconds * frameRate }, (_, at) => ({
    timeCode: at / frameRate,
    weights: Float32Array.from(names, (_name, channel) => Math.abs(Math.sin(at * 0.07 + channel))),
    headPose: undefined,
    eyeGaze: undefined,
  }));
  return { channelNames: names, frameRate, frames, serverShare: new Float32Array(frames.length) };
}

export async function timelineFigures(width: number, height: number): Promise<TimelineFigures> {
  const recorded = face();
  let begin = performance.now();
  const shaped = shapedTake(recorded);
  const curves = performance.now() - begin;
  const samples = Float32Array.from(
    { length: seconds * soundRate },
    (_, at) => (((at * 7919) % 65_536) - 32_768) / 32_768,
  );
  const url = URL.createObjectURL(new Blob([encodeWav({ sampleRate: soundRate, samples })]));
  const { signal } = new AbortController();
  begin = performance.now();
  const peaks = (await SoundPeaks.open(url, signal))!;
  await peaks.read(url, signal);
  const sound = performance.now() - begin;

  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d', { alpha: false, willReadFrequently: true })!;
  const ratio = devicePixelRatio;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  document.body.append(canvas);
  // Every region open: as many curves as the window has room for, and all of them scrolled through.
  const rows = timelineRows(shaped.curves.curves, new Set(faceRegions), '', null);
  const last = rows.at(-1)!;
  const rowsTop = 84;
  const pieces = [
    { from: 0, to: 100, speed: 1 },
    { from: 110, to: seconds, speed: 1 },
  ];
  const map = timeMap(pieces, seconds);
  const scene = (from: number, span: number, scrolled: number): TimelineScene => ({
    ...{ width, height, ratio, rows, rowsTop, scrolled, soundHeight: 52 },
    window: { from, span },
    map,
    sound: peaks,
    spectrogram: null,
    taken: { mouth: [], jaw: [], brows: [], eyes: [], head: [] },
    curves: shaped.curves,
    drawn: {},
    channel: null,
    markers: Array.from({ length: 50 }, (_, at) => ({ time: at * 12 })),
    words: null,
    colours: timelineColours(getComputedStyle(document.documentElement)),
  });
  const draw = (span: number): number => {
    const times = Array.from({ length: 90 }, (_, at) => {
      const from = ((seconds - span) * at) / 90;
      const scrolled = Math.max(0, last.top + last.height - height + rowsTop) * (at / 90);
      const one = performance.now();
      drawTimeline(pen, scene(from, span, scrolled));
      // Until the pixels are there: a canvas only notes what is to be drawn.
      pen.getImageData(0, 0, 1, 1);
      return performance.now() - one;
    });
    return percentile(times, 0.95);
  };
  const draws = { all: draw(600), minute: draw(60), words: draw(6), frames: draw(4 / frameRate) };

  const edits = Array.from({ length: 20 }, (_, at) => {
    const edited = applyOperation(noEdits, {
      kind: 'region',
      region: 'mouth',
      changes: { gain: 0.5 + at / 40, smoothing: 80, shift: 0.1 },
    });
    const one = performance.now();
    const stop = shaped.shape(edited, noContext(seconds), [
      { from: 100 + at, to: 101 + at },
      { from: 95 + at, to: 107 + at },
    ]);
    drawTimeline(pen, scene(95 + at, 12, 0));
    pen.getImageData(0, 0, 1, 1);
    stop();
    return performance.now() - one;
  });
  return { curves, sound, draws, edit: percentile(edits, 0.95) };
}
