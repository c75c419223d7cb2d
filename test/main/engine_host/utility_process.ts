/**
 * Loaded before the engine's entry: gives it the parent that it has under Electron (`process.parentPort`,
 * whose messages come as events with `data`) in place of Node's channel.
 */
import { EventEmitter } from 'node:events';

const port = new EventEmitter();
const send = process.send!.bind(process);
process.on('message', (data) => port.emit('message', { data }));
process.on('disconnect', () => port.emit('close'));
Object.assign(port, { postMessage: (message: object) => send(message) });
Object.assign(process, { parentPort: port, send: undefined });
