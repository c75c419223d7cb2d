/** The reasons for refusing a part of a voice. */
import type { AudioFormat } from '@likeness/proto/wav.ts';
import type { EngineLimits } from '../http/limits.ts';
import { Refusal } from '../http/refusal.ts';

export function audioTooLong(seconds: number, { traceSeconds }: Pick<EngineLimits, 'traceSeconds'>): Refusal {
  const hours = traceSeconds / 3600;
  return new Refusal(
    413,
    'audio_too_long',
    {
      en: `The audio of this trace is ${Math.round(seconds)} s long; at most ${hours} hours are accepted. Cut it and use a traceId for each piece.`,
      zh: `该 trace 的音频长 ${Math.round(seconds)} 秒；最多接受 ${hours} 小时。请切分后为每段使用各自的 traceId。`,
    },
    { field: 'data' },
  );
}

export function audioChanged(first: AudioFormat, { sampleRate, channels }: AudioFormat): Refusal {
  return new Refusal(
    400,
    'audio_changed',
    {
      en: `This part has ${sampleRate} Hz and ${channels} channels, the trace began with ${first.sampleRate} Hz and ${first.channels}. Start a new trace for other audio.`,
      zh: `此部分为 ${sampleRate} Hz、${channels} 声道，而该 trace 开始时为 ${first.sampleRate} Hz、${first.channels} 声道。请为其他音频新建 trace。`,
    },
    { field: 'data' },
  );
}

export function traceReused(): Refusal {
  return new Refusal(
    409,
    'trace_reused',
    {
      en: 'This traceId has been used. Choose a new UUID for each voice; continue an open trace with the status "continue".',
      zh: '该 traceId 已被使用。每段语音请使用新的 UUID；继续未结束的 trace 请用状态 "continue"。',
    },
    { field: 'traceId' },
  );
}

export function traceBusy(): Refusal {
  return new Refusal(
    409,
    'trace_busy',
    {
      en: 'A part of this trace is still being answered. Send the next one after the answer has ended: parts have no number, only an order.',
      zh: '该 trace 的上一部分仍在处理。请在其响应结束后再发送下一部分。',
    },
    { field: 'traceId', headers: { 'retry-after': '1' } },
  );
}

export function traceNotOpen(): Refusal {
  return new Refusal(
    409,
    'trace_not_open',
    {
      en: 'No trace with this traceId is open. Open one with the status "start" and a short first part; an idle trace ends by itself.',
      zh: '没有使用该 traceId 的打开的 trace。请用状态 "start" 和较短的首段打开；空闲的会自动结束。',
    },
    { field: 'traceId' },
  );
}

export function tooManyTraces(limits: Pick<EngineLimits, 'openTraces' | 'traceIdle'>): Refusal {
  return new Refusal(
    503,
    'too_many_traces',
    {
      en: `${limits.openTraces} traces are open. End one, or wait: an idle trace ends after ${limits.traceIdle / 1000} s.`,
      zh: `已有 ${limits.openTraces} 个 trace 打开。请结束其中之一，或等待：空闲的会在 ${limits.traceIdle / 1000} 秒后结束。`,
    },
    { headers: { 'retry-after': '1' } },
  );
}
