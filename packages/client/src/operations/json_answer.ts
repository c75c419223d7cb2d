import { BadAnswer } from '../bad_answer.ts';
import type { FinishedCall } from '../call_record.ts';
import type { CollectedAnswer } from '../transport/wire.ts';
import { dataOf, type JsonObject, parseJsonObject, readEnvelope, UnreadableAnswer } from './envelope.ts';

/** Maximum bytes of a JSON answer. The documented ones have a few hundred. */
export const longestJson = 1024 * 1024;

/** The JSON object of a successful answer. @throws BadAnswer */
export function jsonOf(answer: CollectedAnswer): JsonObject {
  if (answer.status < 200 || answer.status > 299) throw BadAnswer.refused(answer);
  return readable(answer, () => {
    const encoding = answer.headers['content-encoding'];
    if (encoding && encoding !== 'identity') {
      throw new UnreadableAnswer('content-encoding', 'encoding', { encoding });
    }
    return parseJsonObject(answer.body);
  });
}

/** The payload of a Group B answer whose envelope says success. @throws BadAnswer */
export function envelopeDataOf(answer: CollectedAnswer, exchange: FinishedCall): JsonObject {
  const object = jsonOf(answer);
  const envelope = readable(answer, () => readEnvelope(object));
  exchange.envelopeCode = envelope.code;
  if (envelope.code !== 200) throw BadAnswer.envelope(answer, envelope);
  return readable(answer, () => dataOf(envelope));
}

/** Reads a part of an answer. @throws BadAnswer if it can't be read */
export function readable<T>(answer: CollectedAnswer, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof UnreadableAnswer ? BadAnswer.unreadable(answer, error) : error;
  }
}
