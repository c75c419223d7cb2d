import { createParser } from 'eventsource-parser';
import { type ClientContext, timeoutsFor } from '../client_context.ts';
import { credentialHeader, modelEventsAddress } from '../transport/endpoint.ts';
import { open } from '../transport/stream_answer.ts';
import { newMeter } from '../transport/wire.ts';

/**
 * The server sends a keep-alive every 15 s. If a proxy holds answers back, it is missing. The connection is
 * renewed every hour.
 */
const listening = { connect: 10_000, firstByte: 15_000, betweenBytes: 45_000, whole: 3_600_000 };
/** Maximum characters of an unfinished event. */
const longestEvent = 64 * 1024;

/**
 * Extension `model-events`: yields ids of the key's models as they change, until one side ends or the
 * connection breaks. A break is not an error: the listener polls the models as before.
 *
 * The connection mostly waits, so it doesn't count against the profile's rate limit and appears in no
 * journal.
 */
export async function* modelEvents(
  context: ClientContext,
  signal: AbortSignal,
  onOpen: () => void,
): AsyncGenerator<string, void, undefined> {
  const { endpoint, transport } = context;
  const secret = (await endpoint.secret('apiKey').catch(() => undefined))?.trim();
  if (!secret || !/^[\x21-\x7e]+$/.test(secret)) return;
  try {
    const { origin, path } = modelEventsAddress(endpoint);
    const answer = await open({
      dispatcher: await transport.dispatcher('call'),
      origin,
      path,
      method: 'GET',
      headers: ['accept', 'text/event-stream', ...credentialHeader('B', secret)],
      timeouts: timeoutsFor(context, listening),
      meter: newMeter(),
      signal,
    });
    const isStream = /^text\/event-stream\b/i.test(String(answer.headers['content-type'] ?? ''));
    if (answer.status !== 200 || !isStream) return;
    onOpen();
    const changed: string[] = [];
    const decoder = new TextDecoder();
    const parser = createParser({
      maxBufferSize: longestEvent,
      onEvent({ event, data }) {
        const id = event === 'model' ? modelIdIn(data) : null;
        if (id !== null) changed.push(id);
      },
    });
    for await (const chunk of answer.body) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      yield* changed.splice(0);
    }
  } catch {
    // Broken, refused or cancelled: polling continues.
  }
}

function modelIdIn(data: string): string | null {
  try {
    const { modelId } = JSON.parse(data) as { modelId?: unknown };
    return typeof modelId === 'string' && modelId.length <= 1024 ? modelId : null;
  } catch {
    return null;
  }
}
