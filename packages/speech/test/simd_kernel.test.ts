import { expect, test } from 'vitest';
import { SimdKernel } from '../src/simd_kernel.ts';
import type { Convolution } from '../src/stored_layers.ts';

let state = 3;
const random = (): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2147483648 - 1;
};
const randoms = (length: number): Float32Array => Float32Array.from({ length }, random);
const convolution = (inputs: number, taps: number, outputs: number): Convolution => ({
  inputs,
  taps,
  outputs,
  dilation: 1,
  weights: randoms(inputs * taps * outputs),
  bias: randoms(outputs),
});

test('matrices of any size are multiplied as plain loops would', () => {
  const all = [
    convolution(40, 5, 96),
    convolution(96, 1, 15),
    convolution(1, 1, 1),
    convolution(7, 3, 17),
    convolution(130, 1, 33),
  ];
  const kernel = new SimdKernel(all);
  // In another order than they were placed, and again: nothing is left behind from one to the next.
  for (const one of [...all.toReversed(), ...all]) {
    const columns = one.inputs * one.taps;
    const input = randoms(columns);
    kernel.input.set(input);
    kernel.apply(one);
    const alone = Float32Array.from(kernel.output);
    // both of two are made as one alone is
    kernel.input.set(randoms(columns));
    kernel.secondInput.set(input);
    kernel.applyToTwo(one);
    expect(kernel.secondOutput.subarray(0, one.outputs)).toEqual(alone.subarray(0, one.outputs));
    kernel.secondInput.set(kernel.input.subarray(0, columns));
    kernel.input.set(input);
    kernel.output.fill(0);
    kernel.applyToTwo(one);
    expect(kernel.output.subarray(0, one.outputs)).toEqual(alone.subarray(0, one.outputs));
    for (let row = 0; row < one.outputs; row++) {
      let sum = one.bias[row]!;
      for (let column = 0; column < columns; column++)
        sum += one.weights[row * columns + column]! * input[column]!;
      expect(kernel.output[row]).toBeCloseTo(sum, 4);
    }
  }
});
