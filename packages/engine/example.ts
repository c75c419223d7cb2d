import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { createMakers, startEngine } from '@likeness/engine';

const key = (): string => randomBytes(24).toString('base64url');
const keys = { accessToken: key(), apiKey: key() };
const engine = await startEngine({
  version: '1.0.0',
  folder: resolve('engine'),
  pathWord: 'svc',
  keys,
  ...createMakers(),
  clock: Date.now,
  onLoad: ({ running, queued }) => console.log(`${running} running, ${queued} queued`),
  log: (level, message) => console.error(level, message),
});
const headers = { authorization: `Bearer ${keys.accessToken}` };
const health = await fetch(`http://127.0.0.1:${engine.port}/health`, { headers });
console.log(health.status, await health.text());
await engine.close();
