import { faceStreamErrorCodes } from '@likeness/proto/face_stream_error.ts';
import { expect, test } from 'vitest';
import { sized } from '../support/sizes.ts';
import { fuzzStreams } from './stream_fuzzer.ts';

const mutations = sized(5000, 50_000);

test('mutated streams and schemas: no crash, no hang, no memory without bound', () => {
  const report = fuzzStreams(mutations, 20_260_101);
  expect(report.mutations).toBe(mutations);
  // Both sides of the border were exercised: streams that survived, and every fault there is.
  expect(report.accepted).toBeGreaterThan(mutations / 50);
  for (const code of faceStreamErrorCodes) expect(report.faults.get(code), code).toBeGreaterThan(0);
}, 120_000);
