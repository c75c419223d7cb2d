import { Table } from './flatbuffer.ts';

/**
 * What a TensorFlow Lite file holds. All numbers of fields, types and operators here and beside are those of
 * TensorFlow's schema (tensorflow/lite/schema/schema.fbs).
 */
export interface TfliteModel {
  readonly tensors: readonly TfliteTensor[];
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  /** In the order in which they are to run. */
  readonly operators: readonly TfliteOperator[];
}

export interface TfliteTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly type: number;
  /** A constant's values; null where an operator makes them. */
  readonly data: DataView | null;
}

export interface TfliteOperator {
  /** As the schema names it, or a custom operator's own name. */
  readonly name: string;
  /** Indices of tensors. */
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  readonly options: Table | null;
  readonly customOptions: DataView;
}

const tensorType = { float32: 0, float16: 1, int32: 2 } as const;

const customOperator = 32;
const operatorNames: Readonly<Record<number, string>> = {
  0: 'ADD',
  1: 'AVERAGE_POOL_2D',
  3: 'CONV_2D',
  4: 'DEPTHWISE_CONV_2D',
  6: 'DEQUANTIZE',
  14: 'LOGISTIC',
  18: 'MUL',
  19: 'RELU',
  23: 'RESIZE_BILINEAR',
  117: 'HARD_SWISH',
};

/** @throws RangeError where the file leads out of itself; Error that says what else is wrong with it */
export function readTfliteModel(file: Uint8Array): TfliteModel {
  if (new TextDecoder('latin1').decode(file.subarray(4, 8)) !== 'TFL3')
    throw new Error('it is no TensorFlow Lite file of version 3');
  const model = Table.root(new DataView(file.buffer, file.byteOffset, file.byteLength));
  const [graph, ...others] = model.tables(2);
  if (!graph || others.length > 0)
    throw new Error(`it has ${others.length + (graph ? 1 : 0)} graphs, not one`);
  const buffers = model.tables(4);
  const tensors = graph.tables(0).map((tensor): TfliteTensor => {
    const data = element(buffers, tensor.int(2), 'buffer').bytes(0);
    return {
      name: tensor.text(3),
      shape: tensor.ints(0),
      type: tensor.byte(1),
      data: data.byteLength > 0 ? data : null,
    };
  });
  const checked = (indices: number[]): number[] => {
    for (const i of indices) element(tensors, i, 'tensor');
    return indices;
  };
  const names = model.tables(1).map(operatorName);
  return {
    tensors,
    inputs: checked(graph.ints(1)),
    outputs: checked(graph.ints(2)),
    operators: graph.tables(3).map((operator) => ({
      name: element(names, operator.int(0), 'operator code'),
      inputs: checked(operator.ints(1)),
      outputs: checked(operator.ints(2)),
      options: operator.table(4),
      customOptions: operator.bytes(5),
    })),
  };
}

function operatorName(code: Table): string {
  // Once the codes of operators filled a byte, a second field was added; the greater of both holds.
  const number = Math.max(code.byte(0), code.int(3));
  if (number === customOperator) return code.text(1);
  return operatorNames[number] ?? `builtin operator ${number}`;
}

function element<T>(list: readonly T[], index: number, what: string): T {
  const found = list[index];
  if (found === undefined) throw new RangeError(`${what} ${index} of ${list.length}`);
  return found;
}

/** A constant's numbers, half floats as floats. */
export function constantValues({ name, shape, type, data }: TfliteTensor): Float32Array {
  if (!data) throw new Error(`tensor ${name} is no constant`);
  const count = shape.reduce((product, size) => product * size, 1);
  const size = type === tensorType.float16 ? 2 : 4;
  if (data.byteLength !== count * size)
    throw new Error(`tensor ${name} has ${data.byteLength} bytes, not ${count * size}`);
  const at = (i: number): number => {
    if (type === tensorType.float32) return data.getFloat32(4 * i, true);
    if (type === tensorType.float16) return data.getFloat16(2 * i, true);
    if (type === tensorType.int32) return data.getInt32(4 * i, true);
    throw new Error(`tensor ${name} is of type ${type}, which is not read`);
  };
  return Float32Array.from({ length: count }, (_, i) => at(i));
}
