/**
 * The other side of `upstream.bench.ts`: answers B2 from memory, in a thread of its own, so that server and
 * client don't share an event loop. Posts its port.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';

const body = JSON.stringify({
  data: { status: 3, waitTime: '12', sex: 1, eyelidType: 2, failMessage: '', downloadLink: '' },
  code: 200,
  message: 'success',
});
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(body.length) });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port));
parentPort?.on('message', () => server.close());
