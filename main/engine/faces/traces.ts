import { type AudioData, type AudioFormat, audioSeconds, frameBytes, toSamples } from '#proto/wav.ts';
import type { EngineLimits } from '../http/limits.ts';
import { Refusal } from '../http/refusal.ts';
import type { FaceMaker, FaceMesh, FaceOptions, FaceTrace } from './face_maker.ts';

/** The caller's options for a face. */
export type FaceTraceOptions = Pick<FaceOptions, 'frameRate' | 'lookahead'>;

/** A voice from its `start` to its end. */
export interface Trace {
  readonly id: string;
  readonly options: FaceTraceOptions;
  /** What every frame's vertices come from; null where none were asked for. */
  readonly mesh: FaceMesh | null;
  /** How the first part's samples lay: what later parts without a container are read by. */
  readonly format: AudioFormat;
  /** Null if the last answer ended the utterance; it is restarted if another part follows. */
  face: FaceTrace | null;
  /** The first part, to begin anew with; null when that has been done. */
  first: AudioData | null;
  /** Time code of the last frame that was sent, seconds; −1 before the first. */
  lastTime: number;
  /** Seconds of audio taken so far. */
  seconds: number;
  /** A request of this trace is being answered. */
  busy: boolean;
}

export type Traces = ReturnType<typeof createTraces>;

/**
 * The open traces, with limits on their number and idle time, and the identifiers already used.
 *
 * A `start` is answered as a complete utterance, because it may be one. If another part follows, the trace is
 * restarted from the first part, whose frames come out the same and are not sent again.
 *
 * @param clock Milliseconds since 1970 UTC.
 */
export function createTraces(
  limits: Pick<EngineLimits, 'openTraces' | 'resumeBytes' | 'traceIdle' | 'traceMemory' | 'traceSeconds'>,
  clock: () => number,
) {
  const open = new Map<string, { trace: Trace; usedAt: number }>();
  /** In order of use; the oldest are forgotten first. */
  const used = new Set<string>();

  function expire(): void {
    const before = clock() - limits.traceIdle;
    for (const [id, { trace, usedAt }] of open) {
      if (usedAt < before && !trace.busy) open.delete(id);
    }
  }

  /**
   * Makes room by forgetting the oldest that may have been a whole utterance. @returns Whether there is room.
   */
  function makeRoom(): boolean {
    if (open.size < limits.openTraces) return true;
    for (const [id, { trace }] of open) {
      if (trace.busy || trace.first === null) continue;
      open.delete(id);
      return true;
    }
    return false;
  }

  /** @throws {Refusal} 413 `audio_too_long` */
  function checkLength(seconds: number): void {
    if (seconds <= limits.traceSeconds) return;
    const hours = limits.traceSeconds / 3600;
    throw new Refusal(
      413,
      'audio_too_long',
      {
        en: `The audio of this trace is ${Math.round(seconds)} s long; at most ${hours} hours are taken. Cut it and use a traceId for each piece.`,
        zh: `该 trace 的音频长 ${Math.round(seconds)} 秒；最多接受 ${hours} 小时。请切分后为每段使用各自的 traceId。`,
      },
      { field: 'data' },
    );
  }

  return {
    /**
     * Opens a trace.
     *
     * @throws {Refusal} 409 `trace_reused`, 503 `too_many_traces`, 413 `audio_too_long`
     */
    start(
      id: string,
      maker: FaceMaker,
      data: AudioData,
      options: FaceTraceOptions,
      mesh: FaceMesh | null,
    ): Trace {
      const { format } = data;
      expire();
      checkLength(audioSeconds(format, data.bytes.length));
      if (used.has(id)) {
        throw new Refusal(
          409,
          'trace_reused',
          {
            en: 'This traceId has been used. Choose a new UUID for each voice; go on with an open one by the status "continue".',
            zh: '该 traceId 已被使用。每段语音请使用新的 UUID；继续未结束的 trace 请用状态 "continue"。',
          },
          { field: 'traceId' },
        );
      }
      if (!makeRoom()) {
        throw new Refusal(
          503,
          'too_many_traces',
          {
            en: `${limits.openTraces} traces are open. End one, or wait: a silent one ends after ${limits.traceIdle / 1000} s.`,
            zh: `已有 ${limits.openTraces} 个 trace 打开。请结束其中之一，或等待：空闲的会在 ${limits.traceIdle / 1000} 秒后结束。`,
          },
          { headers: { 'retry-after': '1' } },
        );
      }
      const face = openFace(maker, format, options);
      const trace: Trace = {
        id,
        options,
        mesh,
        format,
        face,
        first: data,
        lastTime: -1,
        seconds: 0,
        busy: true,
      };
      open.set(id, { trace, usedAt: clock() });
      used.add(id);
      if (used.size > limits.traceMemory) used.delete(used.values().next().value!);
      return trace;
    },

    /**
     * The open trace for its next part, which must be finished by `release`.
     *
     * @throws {Refusal} 409 `trace_not_open` or `trace_busy`, 400 `audio_changed`, 413 `audio_too_long`
     */
    next(id: string, data: AudioData | null): Trace {
      expire();
      const found = open.get(id);
      if (!found) throw notOpen();
      const { trace } = found;
      if (trace.busy) {
        throw new Refusal(
          409,
          'trace_busy',
          {
            en: 'A part of this trace is still being answered. Send the next one after the answer has ended: parts have no number, only an order.',
            zh: '该 trace 的上一部分仍在处理。请在其响应结束后再发送下一部分。',
          },
          { field: 'traceId', headers: { 'retry-after': '1' } },
        );
      }
      if (data) {
        const { sampleRate, channels } = data.format;
        if (sampleRate !== trace.format.sampleRate || channels !== trace.format.channels) {
          throw new Refusal(
            400,
            'audio_changed',
            {
              en: `This part has ${sampleRate} Hz and ${channels} channels, the trace began with ${trace.format.sampleRate} Hz and ${trace.format.channels}. Start a new trace for other audio.`,
              zh: `此部分为 ${sampleRate} Hz、${channels} 声道，而该 trace 开始时为 ${trace.format.sampleRate} Hz、${trace.format.channels} 声道。请为其他音频新建 trace。`,
            },
            { field: 'data' },
          );
        }
        checkLength(trace.seconds + audioSeconds(data.format, data.bytes.length));
      }
      trace.busy = true;
      return trace;
    },

    /** The format by which a part without a container is read. @throws {Refusal} 409 `trace_not_open` */
    formatOf(id: string): AudioFormat {
      expire();
      const found = open.get(id);
      if (!found) throw notOpen();
      return found.trace.format;
    },

    /** Ends a part's turn: the trace waits for its next part, or is over. */
    release(trace: Trace, isOver: boolean): void {
      trace.busy = false;
      open.delete(trace.id);
      // Behind all others, so that the first in the map is the one that has been silent for longest.
      if (!isOver) open.set(trace.id, { trace, usedAt: clock() });
    },

    expire,
    count: (): number => open.size,
  };
}

/** A face for a trace's audio. */
export const openFace = (
  maker: FaceMaker,
  { sampleRate, channels }: AudioFormat,
  options: FaceTraceOptions,
): FaceTrace => maker.open({ sampleRate, channels, ...options });

function notOpen(): Refusal {
  return new Refusal(
    409,
    'trace_not_open',
    {
      en: 'No trace with this traceId is open. Open one by the status "start", with a short first part; a silent one ends by itself.',
      zh: '没有使用该 traceId 的打开的 trace。请用状态 "start" 和较短的首段打开；空闲的会自动结束。',
    },
    { field: 'traceId' },
  );
}

/** Seconds of audio solved in one go, before other requests get their turn. */
const blockSeconds = 0.25;

/** Audio as samples in short blocks, so that a long utterance never holds the process for long. */
export function* sampleBlocks({ format, bytes }: AudioData): Generator<Float32Array> {
  const block = Math.max(1, Math.round(blockSeconds * format.sampleRate)) * frameBytes(format);
  for (let at = 0; at < bytes.length; at += block) {
    yield toSamples({ format, bytes: bytes.subarray(at, at + block) });
  }
}
