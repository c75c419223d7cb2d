import type { QueueMeasures } from '@likeness/engine/models/model_jobs.ts';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { EndedCall } from '../calls/request_gate.ts';
import type { EndedModel } from '../models/made_model.ts';
import { coreShares } from './core_shares.ts';

export interface ServiceMetrics {
  begun(endpoint: string): void;
  ended(call: EndedCall): void;
  modelEnded(end: Pick<EndedModel, 'kind' | 'isMade' | 'seconds' | 'at' | 'orderedAt'>): void;
  /** Returns the metrics in Prometheus text format. */
  read(): Promise<string>;
  readonly contentType: string;
}

/** Histogram buckets for calls, seconds: they include the interface's claim of 900 ms. */
const buckets = [0.005, 0.02, 0.05, 0.1, 0.15, 0.3, 0.6, 0.9, 2, 5, 15, 60];

/** Histogram buckets for making models, seconds. */
const makingBuckets = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 900];
/** Histogram buckets for the time from an order to its end, seconds. */
const orderBuckets = [...makingBuckets, 1800, 3600, 4 * 3600, 24 * 3600];

/**
 * Creates the Prometheus metrics of a service. Labels are names of endpoints and statuses. Keys, tenants or
 * ids would create one series each.
 *
 * @param measures Queue measurements, taken at each read.
 */
export function createServiceMetrics(measures: () => Promise<QueueMeasures>): ServiceMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const inFlight = new Gauge({
    name: 'likeness_calls_under_way',
    help: 'Calls under way',
    labelNames: ['endpoint'],
    registers,
  });
  const calls = new Counter({
    name: 'likeness_calls_total',
    help: 'Calls that have ended',
    labelNames: ['endpoint', 'status'],
    registers,
  });
  const firstByte = new Histogram({
    name: 'likeness_first_byte_seconds',
    help: 'From the request to the first byte of its answer',
    labelNames: ['endpoint'],
    buckets,
    registers,
  });
  const units = new Counter({
    name: 'likeness_used_total',
    help: 'Seconds of sound and frames',
    labelNames: ['unit'],
    registers,
  });
  const models = new Gauge({
    name: 'likeness_models',
    help: 'Models that wait and that are being made, by kind',
    labelNames: ['kind', 'state'],
    registers,
  });
  const oldest = new Gauge({
    name: 'likeness_oldest_waiting_seconds',
    help: 'How long the model of this kind that was ordered first has waited; 0 where none waits',
    labelNames: ['kind'],
    registers,
  });
  const slots = new Gauge({
    name: 'likeness_maker_places',
    help: 'Models that could be made at the same time, on all machines of the queue',
    registers,
  });
  const cores = coreShares();
  new Gauge({
    name: 'likeness_core_busy_ratio',
    help: 'Share of the time since the last reading that a core of this machine was busy, by whatever',
    labelNames: ['core'],
    registers,
    collect() {
      for (const [core, share] of cores().entries()) this.set({ core }, share);
    },
  });
  const making = new Histogram({
    name: 'likeness_making_seconds',
    help: 'That the making of a model took. The rate of its sum is how many makers were busy',
    labelNames: ['kind'],
    buckets: makingBuckets,
    registers,
  });
  const orders = new Histogram({
    name: 'likeness_order_to_head_seconds',
    help: 'From the order of a model to its file, the wait included',
    labelNames: ['kind'],
    buckets: orderBuckets,
    registers,
  });
  return {
    begun: (endpoint) => inFlight.inc({ endpoint }),
    ended({ endpoint, status, firstByteMs, units: used }) {
      inFlight.dec({ endpoint });
      calls.inc({ endpoint, status });
      if (firstByteMs !== null) firstByte.observe({ endpoint }, firstByteMs / 1000);
      if (used.seconds > 0) units.inc({ unit: 'seconds' }, used.seconds);
      if (used.frames > 0) units.inc({ unit: 'frames' }, used.frames);
    },
    modelEnded({ kind, isMade, seconds, at, orderedAt }) {
      // 0: the head existed already.
      if (!isMade || seconds === 0) return;
      making.observe({ kind }, seconds);
      if (orderedAt !== null) orders.observe({ kind }, Math.max(0, at - orderedAt) / 1000);
    },
    async read() {
      const { kinds, slots: all } = await measures();
      for (const kind of ['head', 'image'] as const) {
        const { queued, running, oldestSeconds } = kinds[kind];
        models.set({ kind, state: 'queued' }, queued);
        models.set({ kind, state: 'running' }, running);
        oldest.set({ kind }, oldestSeconds);
      }
      slots.set(all);
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}
