import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sized } from '../../../support/sizes.ts';
import { breakConnections, footprintOf, openCalls, serveStudio } from './broken_connections.ts';

it('a studio that is served outlives connections that break in every way, and keeps nothing of them', {
  timeout: 120_000,
}, async () => {
  const home = mkdtempSync(join(tmpdir(), 'likeness-broken-'));
  const studio = await serveStudio(home);
  try {
    const { socket, results } = await openCalls(studio);
    await breakConnections(studio, { count: 400, atOnce: 16 });
    // Only Linux tells it.
    const footprint = () =>
      process.platform === 'linux' ? footprintOf(studio.process) : { megabytes: 0, descriptors: 0 };
    const before = footprint();

    const tried = await breakConnections(studio, { count: sized(1000, 3000), atOnce: 32 });
    expect(Object.keys(tried).length).toBeGreaterThanOrEqual(19);

    expect(studio.process.exitCode).toBe(null);
    socket.send(JSON.stringify({ id: 5, name: 'app.info' }));
    await expect.poll(() => results.get(5)?.ok, { timeout: 10_000 }).toBe(true);
    await expect
      .poll(() => footprint().descriptors, { timeout: 10_000 })
      .toBeLessThanOrEqual(before.descriptors + 4);
    expect(footprint().megabytes).toBeLessThan(before.megabytes + 60);
    // Nor did any of it come as far as the handler of last resort.
    expect(studio.defects()).toEqual([]);
    socket.terminate();
  } finally {
    await studio.stop();
    rmSync(home, { recursive: true, force: true });
  }
});
