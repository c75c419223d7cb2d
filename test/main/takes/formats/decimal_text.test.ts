import { expect, test } from 'vitest';
import { sixDecimals, tenDecimals } from '../../../../main/takes/formats/decimal_text.ts';

/** Single floats, as weights are, and what stands at the edges. */
function* numbers(): Generator<number> {
  yield* [
    0,
    1,
    -1,
    0.5,
    -0.5,
    1e-10,
    -1e-10,
    4e-11,
    0.99999999999,
    0.09999999999,
    12.25,
    -86_399.9,
    0.1 + 0.2,
  ];
  let seed = 1;
  for (let i = 0; i < 50_000; i += 1) {
    seed = (seed * 48_271) % 0x7fff_ffff;
    yield Math.fround((seed / 0x7fff_ffff) * (i % 3 === 0 ? -4 : 1));
  }
}

test('ten decimals are those of toFixed', () => {
  for (const value of numbers()) {
    const text = tenDecimals(value);
    expect(Math.abs(Number(text) - value)).toBeLessThanOrEqual(0.500001e-10 + Math.abs(value) * 1e-15);
    expect(text).toMatch(/^-?\d+\.\d{10}$/);
    expect(text).not.toBe('-0.0000000000');
  }
  expect(tenDecimals(0.1234567891)).toBe('0.1234567891');
  expect(tenDecimals(-1.5)).toBe('-1.5000000000');
});

test('six decimals are the nearest, without an exponent', () => {
  for (const value of numbers()) {
    const text = sixDecimals(value);
    expect(Math.abs(Number(text) - value)).toBeLessThanOrEqual(0.500001e-6);
    expect(text).toMatch(/^-?\d+(\.\d{6})?$/);
  }
  expect([sixDecimals(0.1), sixDecimals(-2), sixDecimals(-1e-9)]).toEqual(['0.100000', '-2', '0']);
});
