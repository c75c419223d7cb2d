import { median } from '../math/median.ts';
import { smoothstep } from '../math/vector.ts';

/**
 * What colours a person's own skin has in a photo. Chroma depends on brightness: gloss is paler than skin in
 * the light, a stubbly jaw greyer, and shade redder.
 */
export interface OwnSkin {
  /** 0..1: whether a colour (sRGB 0..255) may be this skin's. */
  like(r: number, g: number, b: number): number;
  /** The middle of the skin's colours. */
  readonly tone: readonly [red: number, green: number, blue: number];
}

/** Logarithms of 1..256, so that black has one too. */
const logOf = Float32Array.from({ length: 256 }, (_, i) => Math.log(i + 1));
const logAt = (v: number): number => logOf[v <= 0 ? 0 : v >= 255 ? 255 : v | 0];

/** Brightness levels at which the chroma is known. */
const levels = 7;
/** Fewer samples tell of no skin. */
const leastSamples = 60;
/** The least standard deviations of ln r/g and ln b/g: a camera's noise, and the compression of its pictures. */
const leastSpread = [0.035, 0.045] as const;

/** Standard deviations within which a colour is the skin's, and from which on it is not. */
const [surely, hardly] = [2.6, 4.6];

/**
 * Learns a skin from colours that are sure to be of it, × 3. Undefined where they are too few.
 *
 * The mean chroma at quantiles of brightness, each a median, and the spread about it (1.48 times the median
 * deviation).
 */
export function learnSkin(samples: readonly (readonly [number, number, number])[]): OwnSkin | undefined {
  const n = samples.length;
  if (n < leastSamples) return undefined;
  const light = Float64Array.from(samples, ([r, g, b]) => logAt((r + g + b) / 3));
  const order = Array.from(light.keys()).sort((p, q) => light[p] - light[q]);
  const chroma = samples.map(([r, g, b]) => [logAt(r) - logAt(g), logAt(b) - logAt(g)] as const);
  const at = new Float64Array(levels);
  const middle = [new Float64Array(levels), new Float64Array(levels)];
  for (let l = 0; l < levels; l++) {
    const part = order.slice(Math.floor((n * l) / levels), Math.floor((n * (l + 1)) / levels));
    at[l] = light[part[part.length >> 1]];
    for (const c of [0, 1]) middle[c][l] = median(part.map((i) => chroma[i][c]));
  }
  /** The skin's chroma at a brightness; beyond the ends it stays. */
  const chromaAt = (bright: number, c: number): number => {
    if (bright <= at[0]) return middle[c][0];
    for (let l = 1; l < levels; l++)
      if (bright < at[l])
        return (
          middle[c][l - 1] +
          ((middle[c][l] - middle[c][l - 1]) * (bright - at[l - 1])) / Math.max(1e-6, at[l] - at[l - 1])
        );
    return middle[c][levels - 1];
  };
  const spread = [0, 1].map((c) =>
    Math.max(
      leastSpread[c],
      1.48 * median(samples.map((_, i) => Math.abs(chroma[i][c] - chromaAt(light[i], c)))),
    ),
  );
  const darkest = light[order[Math.floor(0.03 * n)]];
  const lightest = light[order[Math.floor(0.985 * n)]];
  const toneOf = (c: number): number =>
    median(order.slice(Math.floor(0.05 * n), Math.ceil(0.9 * n)).map((i) => samples[i][c]));
  return new LearntSkin(
    [0, 1].map((c) => Float32Array.from(logOf, (bright) => chromaAt(bright, c))),
    spread,
    darkest,
    lightest,
    [toneOf(0), toneOf(1), toneOf(2)],
  );
}

/** A class, so that V8 keeps its methods' code from head to head: every pixel calls them. */
class LearntSkin implements OwnSkin {
  readonly tone: OwnSkin['tone'];
  /** The usual ln r/g and ln b/g by whole brightness 0..255, and their deviations. */
  readonly #usual: readonly Float32Array[];
  readonly #spread: readonly number[];
  readonly #darkest: number;
  readonly #lightest: number;

  constructor(
    usual: readonly Float32Array[],
    spread: readonly number[],
    darkest: number,
    lightest: number,
    tone: OwnSkin['tone'],
  ) {
    this.#usual = usual;
    this.#spread = spread;
    this.#darkest = darkest;
    this.#lightest = lightest;
    this.tone = tone;
  }

  like(r: number, g: number, b: number): number {
    const strange = this.#strangeness(r, g, b);
    return strange < surely ** 2 ? 1 : 1 - smoothstep(surely, hardly, Math.sqrt(strange));
  }

  /** Square of how unlike the skin a colour is, in standard deviations. */
  #strangeness(r: number, g: number, b: number): number {
    const v = Math.min(255, Math.max(0, ((r + g + b) / 3) | 0));
    const green = logAt(g);
    const redness = (logAt(r) - green - this.#usual[0][v]) / this.#spread[0];
    const blueness = (logAt(b) - green - this.#usual[1][v]) / this.#spread[1];
    const bright = logOf[v];
    // Skin in the shade is half as light as any sure sample and redder; what is darker and paler is hair or
    // cloth. Gloss is a tenth lighter.
    let lightOff = 0;
    if (bright < this.#darkest)
      lightOff = (this.#darkest - bright) / (0.12 + 0.13 * smoothstep(-1, 0.5, redness));
    else if (bright > this.#lightest) lightOff = (bright - this.#lightest) / 0.06;
    return redness * redness + blueness * blueness + lightOff * lightOff;
  }
}
