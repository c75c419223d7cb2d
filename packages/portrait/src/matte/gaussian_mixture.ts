/** Gaussians a mixture has at most. */
const components = 5;
/** Floor of the log density, so that a sample that no component explains is merely very unlikely. */
const floor = -50;

interface Component {
  /** Log of the weight over the root of the covariance's determinant. */
  readonly peak: number;
  readonly mean: Float64Array;
  /** Inverse of the covariance's lower Cholesky factor, row-major, size × size. */
  readonly whitening: Float64Array;
}

/** Sums over a cluster: its count, of its values, of their products (row-major). */
interface Moments {
  count: number;
  readonly sums: Float64Array;
  readonly products: Float64Array;
}

/**
 * A mixture of Gaussians over samples of a few channels, each sample wholly its likeliest component's, as
 * GrabCut has it. It starts from splitting the widest cluster along its main axis (Orchard and Bouman 1991),
 * not from chance: the same samples give the same mixture.
 */
export class GaussianMixture {
  private readonly values: Float32Array;
  private readonly size: number;
  private parts: Component[] = [];

  /**
   * @param values - All samples, `size` channels each.
   * @param members - Which of them the mixture describes.
   */
  constructor(values: Float32Array, size: number, members: Int32Array) {
    this.values = values;
    this.size = size;
    const clusters = [members];
    while (clusters.length < components) {
      const axes = clusters.map((cluster) => mainAxis(this.momentsOf(cluster), size));
      const widest = axes.reduce((best, axis, k) => (axis.scatter > axes[best].scatter ? k : best), 0);
      const { mean, axis, scatter } = axes[widest];
      if (scatter <= 0) break;
      const beyond = (i: number): boolean => {
        let along = 0;
        for (let c = 0; c < size; c++) along += axis[c] * (values[size * i + c] - mean[c]);
        return along > 0;
      };
      const cluster = clusters[widest];
      clusters.splice(
        widest,
        1,
        cluster.filter(beyond),
        cluster.filter((i) => !beyond(i)),
      );
    }
    this.fit(clusters.map((cluster) => this.momentsOf(cluster)));
  }

  /** Fits every component anew to those members that are likeliest its own. */
  learn(members: Int32Array): void {
    const clusters = this.parts.map(() => emptyMoments(this.size));
    for (const i of members) {
      let best = 0;
      let most = Number.NEGATIVE_INFINITY;
      for (let k = 0; k < this.parts.length; k++) {
        const density = this.logDensity(this.parts[k], i);
        if (density > most) {
          most = density;
          best = k;
        }
      }
      const own = clusters[best];
      if (own) this.addTo(own, i);
    }
    this.fit(clusters);
  }

  /** Natural logarithm of the density at the i-th sample, up to a constant common to all mixtures. */
  logLikelihood(i: number): number {
    let sum = 0;
    for (const part of this.parts) sum += Math.exp(this.logDensity(part, i));
    return Math.max(floor, Math.log(sum));
  }

  private logDensity({ peak, mean, whitening }: Component, i: number): number {
    const { values, size } = this;
    let squares = 0;
    for (let r = 0; r < size; r++) {
      let along = 0;
      for (let c = 0; c <= r; c++) along += whitening[r * size + c] * (values[size * i + c] - mean[c]);
      squares += along * along;
    }
    return peak - squares / 2;
  }

  private momentsOf(members: Int32Array): Moments {
    const moments = emptyMoments(this.size);
    for (const i of members) this.addTo(moments, i);
    return moments;
  }

  private addTo(moments: Moments, i: number): void {
    const { values, size } = this;
    moments.count++;
    for (let r = 0; r < size; r++) {
      const value = values[size * i + r];
      moments.sums[r] += value;
      for (let c = 0; c <= r; c++) moments.products[r * size + c] += value * values[size * i + c];
    }
  }

  private fit(clusters: readonly Moments[]): void {
    const total = clusters.reduce((sum, { count }) => sum + count, 0);
    this.parts = clusters
      .filter(({ count }) => count > this.size)
      .map((moments) => {
        const { mean, covariance } = spreadOf(moments, this.size);
        const whitening = inverseCholesky(covariance, this.size);
        let logRoot = 0;
        for (let r = 0; r < this.size; r++) logRoot -= Math.log(whitening[r * this.size + r]);
        return { peak: Math.log(moments.count / total) - logRoot, mean, whitening };
      });
  }
}

const emptyMoments = (size: number): Moments => ({
  count: 0,
  sums: new Float64Array(size),
  products: new Float64Array(size * size),
});

/** Mean and covariance (lower half, row-major), widened by the rounding of 8-bit colours. */
function spreadOf(
  { count, sums, products }: Moments,
  size: number,
): {
  mean: Float64Array;
  covariance: Float64Array;
} {
  const n = Math.max(1, count);
  const mean = sums.map((sum) => sum / n);
  const covariance = new Float64Array(size * size);
  for (let r = 0; r < size; r++) {
    for (let c = 0; c <= r; c++)
      covariance[r * size + c] = products[r * size + c] / n - mean[r] * mean[c] + (r === c ? 0.5 : 0);
  }
  return { mean, covariance };
}

/** The inverse of the lower Cholesky factor of a symmetric positive matrix. */
function inverseCholesky(matrix: Float64Array, size: number): Float64Array {
  const factor = new Float64Array(size * size);
  const inverse = new Float64Array(size * size);
  for (let r = 0; r < size; r++) {
    for (let c = 0; c <= r; c++) {
      let rest = matrix[r * size + c];
      for (let k = 0; k < c; k++) rest -= factor[r * size + k] * factor[c * size + k];
      factor[r * size + c] = r === c ? Math.sqrt(Math.max(1e-6, rest)) : rest / factor[c * size + c];
    }
    inverse[r * size + r] = 1 / factor[r * size + r];
    for (let c = 0; c < r; c++) {
      let sum = 0;
      for (let k = c; k < r; k++) sum += factor[r * size + k] * inverse[k * size + c];
      inverse[r * size + c] = -sum / factor[r * size + r];
    }
  }
  return inverse;
}

/** The direction in which a cluster varies most, by power iteration, and its sum of squares along it. */
function mainAxis(
  moments: Moments,
  size: number,
): { mean: Float64Array; axis: Float64Array; scatter: number } {
  const { mean, covariance } = spreadOf(moments, size);
  let axis = Float64Array.from({ length: size }, (_, k) => 1 / (k + 1));
  let spread = 0;
  for (let round = 0; round < 24; round++) {
    const next = new Float64Array(size);
    for (let r = 0; r < size; r++) {
      for (let c = 0; c < size; c++) next[r] += covariance[Math.max(r, c) * size + Math.min(r, c)] * axis[c];
    }
    spread = Math.hypot(...next);
    axis = next.map((value) => value / (spread || 1));
  }
  // A variance below one colour step can't be split.
  return { mean, axis, scatter: spread > 1 ? spread * moments.count : 0 };
}
