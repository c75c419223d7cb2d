import { createReadStream } from 'node:fs';
import { DelimitedReader } from '@likeness/proto/framing.ts';
import { percentile } from '@likeness/proto/percentile.ts';
import { type Arrival, ArrivalReader, maxMessageBytes, readArrival } from '@likeness/proto/take_stream.ts';

export interface ArrivalFigures {
  frames: number;
  /** From a frame's moment in the sound until it came, seconds. */
  median: number;
  p95: number;
  /** Came later than that. */
  late: number;
}

/** As late as an answer may come by the interface's target, seconds. */
const lateAfter = 0.9;

/**
 * How late frames came while a take was recorded. What was made afterwards did not come then.
 *
 * @returns null where none came
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

/** What is in a take's file of messages, as far as it can be read. @throws the system's errors */
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
