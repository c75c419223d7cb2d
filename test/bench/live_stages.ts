/**
 * Where the time goes between a sound and its mouth, stage by stage: from what page, main and engine note
 * (`stage_probe_process.ts`) on one clock, milliseconds since 1970.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { percentile } from '@likeness/proto/percentile.ts';
import type { Page } from 'playwright-core';
import type { StageNotes } from './stage_probe_process.ts';

/** What the page noted. */
interface PageNotes {
  /** Blocks of sound as they left: `[first sample, when the worklet had it whole, when it was sent]`. */
  sounds: [number, number, number][];
  /** The built-in engine's frames as they came: `[time code, when main had it, when it was here]`. */
  frames: [number, number, number][];
  /** Drawings: `[begun, its pixels were on the page's canvas]`. */
  drawings: [number, number][];
}

export type Notes = PageNotes & StageNotes;

/** In the order in which a frame goes through them; each begins where the one before it ended. */
const stageNames = [
  'window and block; of blocks sent together, the last',
  'worklet → page',
  'page → main',
  'main, while an answer is under way',
  'main → engine',
  'engine',
  'engine → main',
  'main → page',
  'page, until its turn on the playing clock',
  'page, until it is drawn next',
  'drawn and read back',
  'until the display shows it',
  'in all',
] as const;

/**
 * Runs in the page before anything else: `window.stageNotes()` gives what was noted since it was called last.
 */
export function noteStages(): void {
  let notes: { [K in keyof PageNotes]: PageNotes[K] } = { sounds: [], frames: [], drawings: [] };
  const now = (): number => performance.timeOrigin + performance.now();
  const [kindOf, headBytes] = [{ sound: 1, frame: 4 }, 24];
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...how: ConstructorParameters<typeof Socket>) {
      super(...how);
      this.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        if (!(data instanceof ArrayBuffer) || data.byteLength < headBytes + 16) return;
        const view = new DataView(data);
        if (view.getUint8(0) !== kindOf.frame) return;
        // A frame in its envelope: the field's tag, its length of one or two bytes, and the time code before
        // all else.
        const at = headBytes + (view.getUint8(headBytes + 1) < 0x80 ? 2 : 3);
        const timeCode = view.getUint8(at) === 0x09 ? view.getFloat64(at + 1, true) : 0;
        notes.frames.push([timeCode, view.getFloat64(16, true), now()]);
      });
    }
    override send(data: string | ArrayBufferLike | Blob | ArrayBufferView<ArrayBufferLike>): void {
      if (ArrayBuffer.isView(data) && data.byteLength > headBytes) {
        const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
        if (view.getUint8(0) === kindOf.sound)
          notes.sounds.push([view.getFloat64(16, true), view.getFloat64(8, true), now()]);
      }
      super.send(data as ArrayBufferView<ArrayBuffer>);
    }
  };
  /** Drawings that are not on the page's canvas yet; all that is drawn between two pauses is one. */
  const begun: number[] = [];
  let isDrawing = false;
  const draw = WebGL2RenderingContext.prototype.drawElements;
  WebGL2RenderingContext.prototype.drawElements = function (...how) {
    if (!isDrawing) {
      isDrawing = true;
      begun.push(now());
      queueMicrotask(() => {
        isDrawing = false;
      });
    }
    draw.apply(this, how);
  };
  const { putImageData } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.putImageData = function (...what: unknown[]) {
    putImageData.apply(this, what as Parameters<typeof putImageData>);
    if (!this.canvas.dataset.speaking) return;
    const at = begun.shift();
    if (at !== undefined) notes.drawings.push([at, now()]);
  };
  Object.assign(window, {
    stageNotes() {
      const taken = notes;
      notes = { sounds: [], frames: [], drawings: [] };
      return taken;
    },
  });
}

/** Asks all for their notes. The first time what came before is thrown away by who asks. */
export async function takeStageNotes(page: Page, folder: string, pids: readonly number[]): Promise<Notes> {
  const seen = await page.evaluate<PageNotes>('stageNotes()');
  for (const pid of pids) process.kill(pid, 'SIGUSR2');
  await setTimeout(500);
  const all = pids.map((pid) => JSON.parse(readFileSync(join(folder, `${pid}.json`), 'utf8')) as StageNotes);
  return {
    ...seen,
    asked: all.flatMap(({ asked }) => asked),
    answered: all.flatMap(({ answered }) => answered),
    taken: all.flatMap(({ taken }) => taken),
  };
}

const sampleRate = 48_000;
/** Milliseconds of arrivals that the page's playing clock looks at (`PlayoutClock`). */
const arrivalsMs = 3000;

/**
 * Milliseconds that each frame took in each stage; only frames within a time that can be followed all the
 * way.
 */
export function stagesOf(
  notes: Notes,
  { from, to }: { from: number; to: number },
  shownAt: (drawn: number) => number,
): number[][] {
  const byPosition = new Map(notes.sounds.map((sound) => [sound[0], sound]));
  const rows: number[][] = [];
  const offsets: { at: number; offset: number }[] = [];
  for (const [timeCode, answered, came] of notes.frames) {
    offsets.push({ at: came, offset: came - timeCode * 1000 });
    while (offsets[0]!.at < came - arrivalsMs) offsets.shift();
    const target = percentile(
      offsets.map(({ offset }) => offset),
      0.5,
    );
    const solving = notes.answered.findLast(([begun]) => begun <= answered);
    const asked = solving && notes.asked.findLast((at) => at <= solving[0]);
    const taken = asked && notes.taken.findLast(([, at]) => at <= asked);
    const sound = taken && byPosition.get(taken[0]);
    if (!solving || !asked || !taken || !sound) continue;
    const spoken = sound[1] - (sound[0] / sampleRate + 0.01 - timeCode) * 1000;
    const due = Math.max(came, timeCode * 1000 + target);
    const drawing = notes.drawings.find(([begun]) => begun >= due);
    const shown = drawing && shownAt(drawing[1]);
    if (!drawing || shown === undefined || Number.isNaN(shown)) continue;
    if (spoken < from || shown > to) continue;
    const marks = [
      spoken,
      sound[1],
      sound[2],
      taken[1],
      asked,
      solving[0],
      Math.min(solving[1], answered),
      answered,
      came,
      due,
      ...drawing,
      shown,
    ];
    rows.push([...marks.slice(1).map((mark, k) => mark - marks[k]!), shown - spoken]);
  }
  return rows;
}

/** A line for each stage: its share at the median and at P95. */
export const stageLines = (rows: readonly number[][]): string[] =>
  stageNames.map((name, stage) => {
    const values = rows.map((row) => row[stage]!);
    return `${name.padEnd(50)} ${percentile(values, 0.5).toFixed(1).padStart(6)} ${percentile(values, 0.95).toFixed(1).padStart(6)}`;
  });
