import type { Tensor, Tensor1D, Tensor4D } from '@tensorflow/tfjs-core';
import type { Tensorflow } from '../tensorflow.ts';
import type { TfliteOperator } from './tflite_model.ts';

/** What an operator is made from. */
export interface OperatorParts {
  readonly tf: Tensorflow;
  readonly operator: TfliteOperator;
  /** The constant at a position of the operator's inputs, its axes in the order wanted; lives as the network does. */
  constant(position: number, axes?: readonly number[]): Tensor;
  /** The shape that the file says the operator's output has. */
  readonly outputShape: readonly number[];
  /** Whether a RELU follows, which then need not run by itself. */
  readonly thenRelu: boolean;
}

/** An operator with its constants and options bound, of what is computed when the network runs. */
export type BoundOperator = (...inputs: Tensor4D[]) => Tensor;

/** Options of convolutions and pools; the schema numbers the first three alike. */
function windowOptions({ options, name }: TfliteOperator) {
  if (!options) throw new Error(`${name} has no options`);
  const padding = options.byte(0);
  if (padding > 1) throw new Error(`${name} has padding ${padding}, which is unknown`);
  return {
    pad: padding === 0 ? ('same' as const) : ('valid' as const),
    strides: [options.int(2), options.int(1)] as [number, number],
  };
}

/** ActivationFunctionType: of the schema's six those that the backend can append to a convolution. */
function convolutionActivation({ operator, thenRelu }: OperatorParts, field: number) {
  const number = operator.options?.byte(field) ?? 0;
  const named = ({ 0: 'linear', 1: 'relu', 3: 'relu6' } as const)[number];
  if (!named) throw new Error(`${operator.name} ends with activation ${number}, which is not supported`);
  return thenRelu && named === 'linear' ? 'relu' : named;
}

function refuseActivation({ name, options }: TfliteOperator, field: number): void {
  const number = options?.byte(field) ?? 0;
  if (number !== 0) throw new Error(`${name} ends with activation ${number}, which is not supported`);
}

/** What the operators do, by the schema's names, for those which the selfie network is made of. */
export const operatorMakers: Readonly<Record<string, (parts: OperatorParts) => BoundOperator>> = {
  ADD({ tf, operator }) {
    refuseActivation(operator, 0);
    return (a, b) => tf.add(a, b);
  },

  MUL({ tf, operator }) {
    refuseActivation(operator, 0);
    return (a, b) => tf.mul(a, b);
  },

  AVERAGE_POOL_2D({ tf, operator }) {
    refuseActivation(operator, 5);
    const { pad, strides } = windowOptions(operator);
    const size: [number, number] = [operator.options?.int(4) ?? 0, operator.options?.int(3) ?? 0];
    return (x) => tf.avgPool(x, size, strides, pad);
  },

  CONV_2D(parts) {
    const { tf, operator, constant } = parts;
    const common = {
      ...windowOptions(operator),
      dilations: [operator.options?.int(5, 1) ?? 1, operator.options?.int(4, 1) ?? 1] as [number, number],
      activation: convolutionActivation(parts, 3),
      // In the file: out, height, width, in.
      filter: constant(1, [1, 2, 3, 0]) as Tensor4D,
      bias: constant(2),
    };
    return (x) => tf.fused.conv2d({ x, ...common });
  },

  DEPTHWISE_CONV_2D(parts) {
    const { tf, operator, constant } = parts;
    if (operator.options?.int(3) !== 1) throw new Error(`${operator.name} makes several channels of one`);
    const common = {
      ...windowOptions(operator),
      dilations: [operator.options.int(6, 1), operator.options.int(5, 1)] as [number, number],
      activation: convolutionActivation(parts, 4),
      // In the file: 1, height, width, channels.
      filter: constant(1, [1, 2, 3, 0]) as Tensor4D,
      bias: constant(2),
    };
    return (x) => tf.fused.depthwiseConv2d({ x, ...common });
  },

  LOGISTIC({ tf }) {
    return (x) => tf.sigmoid(x);
  },

  RELU({ tf }) {
    return (x) => tf.relu(x);
  },

  HARD_SWISH({ tf }) {
    return (x) => tf.mul(x, tf.mul(tf.relu6(tf.add(x, 3)), 1 / 6));
  },

  RESIZE_BILINEAR({ tf, operator, outputShape }) {
    const [, height = 0, width = 0] = outputShape;
    const alignCorners = operator.options?.byte(2) === 1;
    const halfPixelCenters = operator.options?.byte(3) === 1;
    return (x) => tf.image.resizeBilinear(x, [height, width], alignCorners, halfPixelCenters);
  },

  /**
   * MediaPipe's own (mediapipe/util/tflite/operations/transpose_conv_bias.cc). Its options are three int32: padding
   * (1 same, 2 valid), stride across, stride down. Its padding is not quite TensorFlow's, but neither pads where
   * windows lie side by side, which is all that is read here.
   */
  Convolution2DTransposeBias({ tf, operator, constant, outputShape }) {
    const strides: [number, number] = [
      operator.customOptions.getInt32(8, true),
      operator.customOptions.getInt32(4, true),
    ];
    // In the file: out, height, width, in.
    const filter = constant(1, [1, 2, 0, 3]) as Tensor4D;
    const bias = constant(2) as Tensor1D;
    if (filter.shape[0] !== strides[0] || filter.shape[1] !== strides[1])
      throw new Error(
        `${operator.name} has windows of ${filter.shape.slice(0, 2)} at a distance of ${strides}`,
      );
    const shape = outputShape as [number, number, number, number];
    return (x) => tf.add(tf.conv2dTranspose(x, filter, shape, strides, 'valid'), bias);
  },
};
