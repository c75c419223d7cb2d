import { expect, test } from 'vitest';
import { faceStreamErrorCodes } from '../../proto/face_stream_error.ts';
import { fuzzStreams } from './stream_fuzzer.ts';

test('50,000 mutated streams and schemas: no crash, no hang, no memory without bound', () => {
  const report = fuzzStreams(50_000, 20_260_101);
  expect(report.mutations).toBe(50_000);
  // Both sides of the border were exercised: streams that survived, and every fault there is.
  expect(report.accepted).toBeGreaterThan(1000);
  for (const code of faceStreamErrorCodes) expect(report.faults.get(code), code).toBeGreaterThan(0);
}, 120_000);
