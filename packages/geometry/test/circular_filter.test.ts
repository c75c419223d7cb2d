import { describe, expect, it } from 'vitest';
import { limitToMirror } from '../src/circular_filter.ts';

describe('values round a circle', () => {
  it('are at most as much larger than on the other side as is allowed', () => {
    // Right, above to the right, above to the left, left, and below likewise.
    const values = Float32Array.from([9, 8, 1, 2, 3, 4, 5, 6]);
    expect([...limitToMirror(values, () => 1)]).toEqual([3, 2, 1, 2, 3, 4, 5, 4]);
    expect(limitToMirror(values, () => 7)).toEqual(values);
  });
});
