/** How the service is deployed, by its text: a test builds no image. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const folder = join(import.meta.dirname, '../../build/service');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

interface ComposeService {
  image: string;
  build?: { context: string; dockerfile: string };
  command?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  deploy?: { replicas: number };
  healthcheck?: { disable?: boolean; test?: string[] };
}
const compose = parse(read('compose.yaml'), { merge: true }) as {
  services: Record<'queue' | 'node' | 'worker', ComposeService>;
  volumes: Record<string, null>;
};
const { queue, node, worker } = compose.services;

test('the compose file has a queue that keeps what it was told, a node and two workers', () => {
  expect(Object.keys(compose.services).sort()).toEqual(['node', 'queue', 'worker']);
  expect(queue.image).toMatch(/^valkey\/valkey:\d/);
  expect(queue.command).toEqual(expect.arrayContaining(['--appendonly', 'always', 'noeviction']));
  expect(worker.deploy?.replicas).toBe(2);
  expect(worker.command).toEqual(['worker']);
});

test('node and workers are one image, wait for the queue, and share queue and store', () => {
  for (const one of [node, worker]) {
    expect(one.image).toBe('likeness');
    expect(existsSync(resolve(folder, one.build!.context, one.build!.dockerfile))).toBe(true);
    expect(one.environment).toEqual({ LIKENESS_QUEUE: 'redis://queue:6379', LIKENESS_STORE: '/store' });
    expect(one.volumes).toContain('store:/store');
    expect(one.depends_on).toEqual({ queue: { condition: 'service_healthy' } });
  }
  expect(queue.healthcheck?.test).toEqual(['CMD', 'valkey-cli', 'ping']);
});

test('only this machine reaches the node, nobody the queue, and every volume is declared', () => {
  expect(node.ports).toEqual(['127.0.0.1:8787:8787']);
  expect(queue.ports).toBeUndefined();
  expect(worker.ports).toBeUndefined();
  const named = [queue, node, worker].flatMap(({ volumes = [] }) => volumes.map((one) => one.split(':')[0]));
  expect(new Set(named)).toEqual(new Set(Object.keys(compose.volumes)));
});

test('the image owns the folders that are mounted, and starts what the units start', () => {
  const image = read('Dockerfile');
  expect(image).toMatch(/install -d -o node .*\/data \/store$/m);
  expect(image).toContain('USER node');
  const entry = JSON.parse(/^ENTRYPOINT (.+)$/m.exec(image)![1]!) as string[];
  for (const [unit, command] of [
    ['likeness.service', 'start'],
    ['likeness-worker.service', 'worker'],
  ] as const) {
    const started = /^ExecStart=\S+ (.+)$/m.exec(read(unit))![1];
    expect(started, unit).toBe([...entry.slice(1), command].join(' '));
    expect(read(unit), unit).toContain('NoNewPrivileges=yes');
  }
});
