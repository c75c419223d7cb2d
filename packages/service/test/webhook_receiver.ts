import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ShownKey } from '../src/keys/key_administration.ts';
import { type Answered, call, groupA, type TestService } from './service_harness.ts';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  /** With which it was answered. */
  status: number;
}

export interface Registered {
  id: string;
  url: string;
  secret: string;
}

/** Where webhooks go: it answers the n-th request, from 1, with a status. */
export async function startReceiver(statusOf: (n: number) => number) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const status = statusOf(received.length + 1);
    received.push({ headers: request.headers, body, status });
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/told?by=us`,
    received,
    /** Names of the messages that were taken, by the model that they are about. */
    told(): Map<string, Set<string>> {
      const messages = new Map<string, Set<string>>();
      for (const { headers, body, status } of received) {
        if (status !== 200) continue;
        const { id } = (JSON.parse(body) as { data: { id: string } }).data;
        messages.set(id, (messages.get(id) ?? new Set()).add(String(headers['webhook-id'])));
      }
      return messages;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A receiver that answers with these statuses in turn, the last one from then on. */
export const startReceiverOf = (...statuses: number[]): ReturnType<typeof startReceiver> =>
  startReceiver((n) => statuses[Math.min(n, statuses.length) - 1] ?? 200);

export const registerWebhook = (
  service: Pick<TestService, 'url'>,
  key: ShownKey,
  url: string,
): Promise<Answered<Registered & { code: string }>> =>
  call(service, '/v1/webhooks', {
    method: 'POST',
    headers: { ...groupA(key), 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  });
