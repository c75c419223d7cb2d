import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openCalls, serveStudio } from './broken_connections.ts';

it('a page’s call with the largest manifest is answered, and one with a longer text is refused in words', {
  timeout: 120_000,
}, async () => {
  const home = mkdtempSync(join(tmpdir(), 'likeness-calls-'));
  const studio = await serveStudio(home);
  try {
    const { socket, results } = await openCalls(studio);
    const call = async (id: number, text: string) => {
      socket.send(JSON.stringify({ id, name: 'batch.importManifest', input: { text } }));
      await expect.poll(() => results.get(id), { timeout: 60_000 }).toBeDefined();
      return results.get(id)!;
    };
    // Each takes six bytes on its way.
    expect((await call(1, '\u0001'.repeat(8_388_608))).ok).toBe(true);
    expect((await call(2, '头'.repeat(8_388_608))).ok).toBe(true);
    const tooLong = await call(3, '头'.repeat(8_388_609));
    expect(tooLong).toMatchObject({ ok: false, error: { code: 'invalid_input', field: 'text' } });
    expect(socket.readyState).toBe(WebSocket.OPEN);
    socket.terminate();
  } finally {
    await studio.stop();
    rmSync(home, { recursive: true, force: true });
  }
});
