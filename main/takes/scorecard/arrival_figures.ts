import { createReadStream } from 'node:fs';
import { DelimitedReader } from '@likeness/proto/framing.ts';
import { percentile } from '@likeness/proto/percentile.ts';
import { type Arrival, ArrivalReader, maxMessageBytes, readArrival } from '@likeness/proto/take_stream.ts';

export interface ArrivalFigures {
  frames: number;
  /** From a frame's time in the audio to its arrival, seconds. */
  median: number;
  p95: number;
  /** Number of frames that arrived later than that. */
  late: number;
}

/** Maximum latency of a response by the API's target, seconds. */
const lateAfter = 0.9;

/**
 * Measures how late frames arrived during recording, without those made afterwards.
 *
 * @returns null if none arrived
 */
export async function arrivalFigures(
  arrivals: Iterable<Arrival> | AsyncIterable<Arrival>,
): Promise<ArrivalFigures | null> {
  const reader = new ArrivalReader();
  const delays: number[] = [];
  for await (const arrival of arrivals) {
    const { frame } = reader.read(arrival);
    if (frame && arrival.tier !== 'afterwards') delays.push(arrival.arrivedAt - frame.timeCode);
  }
  if (delays.length === 0) return null;
  return {
    frames: delays.length,
    median: percentile(delays, 0.5),
    p95: percentile(delays, 0.95),
    late: delays.filter((delay) => delay > lateAfter).length,
  };
}

/** Reads the intact part of a take's message file. @throws the system's errors */
export async function* arrivalsIn(path: string): AsyncGenerator<Arrival> {
  const reader = new DelimitedReader(maxMessageBytes);
  for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    reader.push(piece as Buffer);
    try {
      for (let message = reader.next(); message; message = reader.next()) yield readArrival(message);
    } catch {
      // Reading ends at the first damaged message.
      return;
    }
  }
}
