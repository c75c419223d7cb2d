import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadSpeechModel } from '../src/index.ts';

const file = new URL('../src/weights.bin', import.meta.url);

describe('loadSpeechModel', () => {
  it('reads the weights from a file or from bytes', () => {
    const bytes = readFileSync(file);
    expect(loadSpeechModel(bytes)).toEqual(loadSpeechModel());
    expect(bytes.byteLength).toBeLessThan(1e6);
    const model = loadSpeechModel();
    expect(model.lookaheads).toEqual([0, 2, 4, 6]);
    expect(model.heads.every(({ outputs }) => outputs === 15)).toBe(true);
    expect(model.convolutions.every(({ weights }) => weights.every(Number.isFinite))).toBe(true);
  });

  it('refuses what is not a model, or half of one', () => {
    expect(() => loadSpeechModel(new Uint8Array(3))).toThrow('LSV1');
    expect(() => loadSpeechModel(new TextEncoder().encode('RIFF0000WAVE'))).toThrow('LSV1');
    expect(() => loadSpeechModel(readFileSync(file).subarray(0, 60_000))).toThrow();
  });
});
