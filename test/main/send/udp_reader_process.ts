/**
 * A program of somebody else's that listens: prints the port it has, then each message, one JSON a line.
 *
 *     node udp_reader_process.ts vmc|livelink
 */
import { createSocket } from 'node:dgram';
import { Server } from 'node-osc';

const tell = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

if (process.argv[2] === 'vmc') {
  const server = new Server(0, '127.0.0.1');
  server.on('listening', () => tell({ port: server.port }));
  server.on('bundle', (bundle) => tell({ at: performance.now(), elements: bundle.elements }));
} else {
  const socket = createSocket('udp4');
  socket.on('message', (packet) => tell({ at: performance.now(), packet: packet.toString('base64') }));
  socket.bind(0, '127.0.0.1', () => tell({ port: socket.address().port }));
}
