import { readFile } from 'node:fs/promises';
import type { Tensor, Tensor4D } from '@tensorflow/tfjs-core';
import { type FaceNetwork, type Tensorflow, tensorflow } from '../tensorflow.ts';
import { constantValues, readTfliteModel, type TfliteModel, type TfliteOperator } from './tflite_model.ts';
import { operatorMakers } from './tflite_operators.ts';

interface Step {
  readonly inputs: readonly number[];
  readonly output: number;
  run(...inputs: Tensor4D[]): Tensor;
  /** What no later step reads. */
  spent: readonly number[];
}

/**
 * Loads a network of square pictures from a TensorFlow Lite file. `side` is what the caller will hand in.
 *
 * @throws Error that names the file and what is wrong with it
 */
export async function loadTfliteNetwork(path: string, side: number): Promise<FaceNetwork> {
  const [tf, file] = await Promise.all([tensorflow(), readFile(path)]);
  try {
    return networkOf(tf, readTfliteModel(file), side);
  } catch (error) {
    const { message } = error as Error;
    const what = error instanceof RangeError ? `it is cut short or broken (${message})` : message;
    throw new Error(`The network ${path} cannot be used: ${what}`, { cause: error });
  }
}

function networkOf(tf: Tensorflow, model: TfliteModel, side: number): FaceNetwork {
  const { tensors, inputs, outputs } = model;
  const [input = -1] = inputs;
  const shape = [1, side, side, 3];
  if (inputs.length !== 1 || tensors[input]?.shape.join() !== shape.join())
    throw new Error(`it takes ${inputs.map((i) => `[${tensors[i]?.shape}]`).join(' and ')}, not [${shape}]`);
  const steps = stepsOf(tf, model);
  return {
    side,
    run: (values) => {
      const results: Float32Array[] = [];
      tf.tidy(() => {
        const made = new Map<number, Tensor>([[input, tf.tensor(values, shape)]]);
        const of = (i: number): Tensor4D => made.get(i) as Tensor4D;
        for (const step of steps) {
          made.set(
            step.output,
            tf.tidy(() => step.run(...step.inputs.map(of))),
          );
          for (const i of step.spent) {
            of(i).dispose();
            made.delete(i);
          }
        }
        // Not handed out of tidy, which would search all their elements for tensors.
        for (const i of outputs) results.push(of(i).dataSync<'float32'>());
      });
      return results;
    },
  };
}

/** Makes every operator ready: constants become tensors once, and a RELU goes into the convolution before it. */
function stepsOf(tf: Tensorflow, model: TfliteModel): Step[] {
  const { tensors, operators, inputs, outputs } = model;
  // Weights are stored as half floats, each with an operator that makes floats of it.
  const halves = new Map(
    operators.filter(({ name }) => name === 'DEQUANTIZE').map((each) => [each.outputs[0], each.inputs[0]]),
  );
  const source = (i: number): number => halves.get(i) ?? i;
  const users = (i: number): TfliteOperator[] => operators.filter((each) => each.inputs.includes(i));
  const reluBehind = ({ name, outputs: [output] }: TfliteOperator): TfliteOperator | undefined => {
    const [next, ...others] = users(output);
    const only = others.length === 0 && !outputs.includes(output);
    return only && next?.name === 'RELU' && /CONV_2D$/.test(name) ? next : undefined;
  };

  const steps: Step[] = [];
  tf.tidy(() => {
    const kept: Tensor[] = [];
    const done = new Set<TfliteOperator>();
    const made = new Set(inputs);
    for (const operator of operators) {
      const { name } = operator;
      if (name === 'DEQUANTIZE' || done.has(operator)) continue;
      if (!Object.hasOwn(operatorMakers, name))
        throw new Error(`it needs the operator ${name}, which is not known`);
      if (operator.outputs.length !== 1) throw new Error(`${name} has ${operator.outputs.length} outputs`);
      const relu = reluBehind(operator);
      if (relu) done.add(relu);
      const run = operatorMakers[name]({
        tf,
        operator,
        constant: (position, axes) => {
          const tensor = tensors[source(operator.inputs[position])];
          if (!tensor) throw new Error(`${name} has no input ${position}`);
          const values = tf.tensor(constantValues(tensor), [...tensor.shape]);
          kept.push(axes ? tf.transpose(values, [...axes]) : values);
          return kept[kept.length - 1];
        },
        outputShape: tensors[operator.outputs[0]].shape,
        thenRelu: relu !== undefined,
      });
      const computed = operator.inputs.filter((i) => !tensors[source(i)].data);
      // A maker's function takes exactly what it wants computed.
      if (computed.length !== run.length || !computed.every((i) => made.has(i)))
        throw new Error(`${name} has other inputs than it should`);
      const output = (relu ?? operator).outputs[0];
      made.add(output);
      steps.push({ inputs: computed, output, run, spent: [] });
    }
    for (const i of outputs) if (!made.has(i)) throw new Error(`nothing makes its output ${tensors[i].name}`);
    // Only now: where anything above threw, tidy takes all of it back.
    for (const tensor of kept) tf.keep(tensor);
  });
  for (const i of new Set(steps.flatMap((step) => step.inputs))) {
    const last = steps.findLast((step) => step.inputs.includes(i));
    if (last && !outputs.includes(i)) last.spent = [...last.spent, i];
  }
  return steps;
}
