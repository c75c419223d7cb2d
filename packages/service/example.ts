import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { createMakers } from '@likeness/engine';
import { createLineLog } from '@likeness/node-kit/storage/log.ts';
import { createScrub } from '@likeness/node-kit/storage/scrub.ts';
import { startService } from '@likeness/service';

const service = await startService({
  version: '1.0.0',
  folder: resolve('service'),
  pathWord: 'svc',
  address: { host: '127.0.0.1', port: 0, names: [], proxies: [], tls: null, insecure: false },
  makers: createMakers(),
  clock: Date.now,
  log: createLineLog({ scrub: createScrub(), write: (line) => process.stderr.write(line) }),
  run: randomUUID(),
});
const health = await fetch(`http://127.0.0.1:${service.port}/healthz`);
console.log(health.status, await health.text(), service.hasNoKey ? 'no key yet' : '');
await service.close(1000);
