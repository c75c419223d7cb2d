/**
 * The other side of `queue.bench.ts`: takes every order at once, has every model ready, and links to one GLB.
 * In a process of its own, so that neither its time nor its memory is counted as the studio's. Sends its
 * port.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeGlb } from '../fixtures/service/glb.ts';

const glb = makeGlb();
let ordered = 0;

const server = createServer((request, response) => {
  const answer = (type: string, body: Buffer | string): void => {
    response.writeHead(200, { 'content-type': type, 'content-length': String(body.length) });
    response.end(body);
  };
  const data = (value: object): void =>
    answer('application/json', JSON.stringify({ data: value, code: 200, message: 'success' }));
  if (request.url === '/model.glb') return answer('model/gltf-binary', glb);
  if (request.method === 'GET') {
    const downloadLink = `http://${request.headers.host}/model.glb`;
    return data({ status: 1, waitTime: '0', sex: 1, eyelidType: 0, failMessage: '', downloadLink });
  }
  request.resume().on('end', () => {
    ordered += 1;
    data({ modelId: `model-${ordered}`, waitTime: 0 });
  });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
