/**
 * A program of somebody else's that listens: prints the port it has, then each frame, one JSON a line. A VMC frame is
 * all bundles up to one that ends with Apply.
 *
 *     node udp_reader_process.ts vmc|livelink
 */
import { createSocket } from 'node:dgram';
import { Server } from 'node-osc';

const tell = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

if (process.argv[2] === 'vmc') {
  const server = new Server(0, '127.0.0.1');
  server.on('listening', () => tell({ port: server.port }));
  let bundles = 0;
  let elements: unknown[][] = [];
  server.on('bundle', (bundle) => {
    bundles += 1;
    elements.push(...(bundle.elements as unknown[][]));
    if (elements.at(-1)?.[0] !== '/VMC/Ext/Blend/Apply') return;
    tell({ at: performance.now(), bundles, elements });
    bundles = 0;
    elements = [];
  });
} else {
  const socket = createSocket('udp4');
  socket.on('message', (packet) => tell({ at: performance.now(), packet: packet.toString('base64') }));
  socket.bind(0, '127.0.0.1', () => tell({ port: socket.address().port }));
}
