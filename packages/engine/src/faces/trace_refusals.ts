/** The reasons for refusing a part of a voice. */
import { t } from '@likeness/messages';
import type { AudioFormat } from '@likeness/proto/wav.ts';
import { shareUsed } from '../http/fair_shares.ts';
import type { EngineLimits } from '../http/limits.ts';
import { Refusal } from '../http/refusal.ts';

export function audioTooLong(seconds: number, { traceSeconds }: Pick<EngineLimits, 'traceSeconds'>): Refusal {
  const hours = traceSeconds / 3600;
  return new Refusal(
    413,
    'audio_too_long',
    t('refusal.trace_too_long', { seconds: Math.round(seconds), hours }),
    { field: 'data' },
  );
}

export function meshTooLong(seconds: number, { meshSeconds }: Pick<EngineLimits, 'meshSeconds'>): Refusal {
  return new Refusal(
    413,
    'audio_too_long',
    t('refusal.vertices_too_long', { seconds: Math.round(seconds), max: meshSeconds }),
    { field: 'data' },
  );
}

export function audioChanged(first: AudioFormat, { sampleRate, channels }: AudioFormat): Refusal {
  return new Refusal(
    400,
    'audio_changed',
    t('refusal.audio_changed', {
      sampleRate,
      channels,
      firstRate: first.sampleRate,
      firstChannels: first.channels,
    }),
    { field: 'data' },
  );
}

export function traceReused(): Refusal {
  return new Refusal(409, 'trace_reused', t('refusal.trace_reused'), { field: 'traceId' });
}

export function traceBusy(): Refusal {
  return new Refusal(409, 'trace_busy', t('refusal.trace_busy'), {
    field: 'traceId',
    headers: { 'retry-after': '1' },
  });
}

export function traceNotOpen(): Refusal {
  return new Refusal(409, 'trace_not_open', t('refusal.trace_not_open'), { field: 'traceId' });
}

export function tooManyTraces(limits: Pick<EngineLimits, 'openTraces' | 'traceIdle'>): Refusal {
  return new Refusal(
    503,
    'too_many_traces',
    t('refusal.too_many_traces', { openTraces: limits.openTraces, seconds: limits.traceIdle / 1000 }),
    { headers: { 'retry-after': '1' } },
  );
}

/** @param own Open traces of this owner. */
export function tooManyOwn(own: number): Refusal {
  return new Refusal(503, 'too_many_traces', shareUsed('traces', own), { headers: { 'retry-after': '1' } });
}
