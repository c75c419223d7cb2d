/** Neighbours of a pixel: the first four and, four further on, their opposites. */
const steps = [
  [1, 0],
  [-1, 1],
  [0, 1],
  [1, 1],
  [-1, 0],
  [1, -1],
  [0, -1],
  [-1, -1],
] as const;

const [stepsX, stepsY] = [0, 1].map((c) => Int8Array.from(steps, (step) => step[c]));

/** Values of a pixel's parent besides the eight directions. */
const none = -1;
const toTerminal = 8;
const orphaned = 9;

/** Which tree a pixel belongs to. */
const source = 1;
const sink = 2;

/** The grid in a rim of pixels without links, so that every pixel has eight neighbours. */
interface Grid {
  /** Pixels of a row, and of all. */
  readonly row: number;
  readonly count: number;
  /** From a pixel to its neighbour, by direction. */
  readonly offset: Int32Array;
  /** What can still flow from the source (> 0) or to the sink (< 0). */
  readonly terminal: Float32Array;
  /** What can still flow to each neighbour, 8 a pixel. */
  readonly residual: Float32Array;
}

/**
 * The minimum cut of an 8-connected grid by Boykov and Kolmogorov's two search trees ("An Experimental
 * Comparison of Min-Cut/Max-Flow Algorithms for Energy Minimization in Vision", PAMI 2004).
 *
 * @param terminals - What a pixel costs on the other side: > 0 off the source's side, < 0 off the sink's;
 *   width × height.
 * @param links - What it costs to part a pixel from its right, lower left, lower and lower right neighbour, 4
 *   a pixel, ≥ 0; those that leave the grid don't count.
 * @returns 1 on the source's side.
 */
export function gridCut(
  width: number,
  height: number,
  terminals: Float32Array,
  links: Float32Array,
): Uint8Array {
  const grid = makeGrid(width, height, terminals, links);
  const trees = new SearchTrees(grid);
  trees.search();
  const side = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      side[y * width + x] = trees.isOnSourceSide((y + 1) * grid.row + x + 1) ? 1 : 0;
    }
  }
  return side;
}

function makeGrid(width: number, height: number, terminals: Float32Array, links: Float32Array): Grid {
  const row = width + 2;
  const count = row * (height + 2);
  const offset = Int32Array.from(steps, ([x, y]) => y * row + x);
  const terminal = new Float32Array(count);
  const residual = new Float32Array(8 * count);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = y * width + x;
      const p = (y + 1) * row + x + 1;
      terminal[p] = terminals[from];
      for (let d = 0; d < 4; d++) {
        const nx = x + stepsX[d];
        if (nx < 0 || nx >= width || y + stepsY[d] >= height) continue;
        const capacity = links[4 * from + d];
        residual[8 * p + d] = capacity;
        residual[8 * (p + offset[d]) + d + 4] = capacity;
      }
    }
  }
  return { row, count, offset, terminal, residual };
}

/** The two trees that grow from source and sink until nothing can flow between them. */
class SearchTrees {
  readonly #offset: Int32Array;
  readonly #terminal: Float32Array;
  readonly #residual: Float32Array;
  /** `source` or `sink`; means nothing while the parent is `none`. */
  readonly #tree: Uint8Array;
  /** Direction of a pixel's parent, or one of the three words above. */
  readonly #parent: Int8Array;
  /** Steps to the root, as they were at the time of `#stamp`. */
  readonly #distance: Int32Array;
  readonly #stamp: Int32Array;
  #time = 0;
  /** The active pixels, a ring: each is in it once. */
  readonly #ring: Int32Array;
  readonly #queued: Uint8Array;
  #head = 0;
  #waiting = 0;
  readonly #orphans: number[] = [];

  constructor({ count, offset, terminal, residual }: Grid) {
    this.#offset = offset;
    this.#terminal = terminal;
    this.#residual = residual;
    this.#tree = new Uint8Array(count);
    this.#parent = new Int8Array(count).fill(none);
    this.#distance = new Int32Array(count);
    this.#stamp = new Int32Array(count);
    this.#ring = new Int32Array(count);
    this.#queued = new Uint8Array(count);
    for (let p = 0; p < count; p++) {
      if (terminal[p] === 0) continue;
      this.#tree[p] = terminal[p] > 0 ? source : sink;
      this.#parent[p] = toTerminal;
      this.#distance[p] = 1;
      this.#activate(p);
    }
  }

  isOnSourceSide(p: number): boolean {
    return this.#parent[p] !== none && this.#tree[p] === source;
  }

  /** Grows the trees, pushes what flows where they meet, and finds new parents for what that cuts off. */
  search(): void {
    while (this.#waiting > 0) {
      const p = this.#ring[this.#head];
      const meeting = this.#parent[p] === none ? none : this.#grow(p);
      if (meeting === none) {
        this.#head = (this.#head + 1) % this.#ring.length;
        this.#waiting--;
        this.#queued[p] = 0;
        continue;
      }
      this.#time++;
      if (this.#tree[p] === source) this.#augment(p, meeting);
      else this.#augment(p + this.#offset[meeting], meeting ^ 4);
      for (let x = this.#orphans.pop(); x !== undefined; x = this.#orphans.pop()) this.#adopt(x);
    }
  }

  #activate(p: number): void {
    if (this.#queued[p]) return;
    this.#queued[p] = 1;
    this.#ring[(this.#head + this.#waiting++) % this.#ring.length] = p;
  }

  #orphan(p: number): void {
    this.#parent[p] = orphaned;
    this.#orphans.push(p);
  }

  /**
   * Takes free neighbours into a pixel's tree.
   *
   * @returns the direction in which it meets the other tree, or `none`
   */
  #grow(p: number): number {
    const offset = this.#offset;
    const residual = this.#residual;
    const tree = this.#tree;
    const parent = this.#parent;
    const distance = this.#distance;
    const stamp = this.#stamp;
    const side = tree[p];
    for (let d = 0; d < 8; d++) {
      const q = p + offset[d];
      if (residual[side === source ? 8 * p + d : 8 * q + (d ^ 4)] <= 0) continue;
      if (parent[q] === none) {
        tree[q] = side;
        parent[q] = d ^ 4;
        stamp[q] = stamp[p];
        distance[q] = distance[p] + 1;
        this.#activate(q);
      } else if (tree[q] !== side) {
        return d;
      } else if (stamp[q] <= stamp[p] && distance[q] > distance[p]) {
        parent[q] = d ^ 4;
        stamp[q] = stamp[p];
        distance[q] = distance[p] + 1;
      }
    }
    return none;
  }

  /** Pushes what can flow over the link in direction `d` from the source's `s` to the sink's tree. */
  #augment(s: number, d: number): void {
    const offset = this.#offset;
    const terminal = this.#terminal;
    const residual = this.#residual;
    const parent = this.#parent;
    const t = s + offset[d];
    const flow = this.#bottleneck(s, d);
    residual[8 * s + d] -= flow;
    residual[8 * t + (d ^ 4)] += flow;
    let p = s;
    for (let up = parent[p]; up !== toTerminal; up = parent[p]) {
      const q = p + offset[up];
      residual[8 * p + up] += flow;
      residual[8 * q + (up ^ 4)] -= flow;
      if (residual[8 * q + (up ^ 4)] <= 0) this.#orphan(p);
      p = q;
    }
    terminal[p] -= flow;
    if (terminal[p] <= 0) this.#orphan(p);
    p = t;
    for (let up = parent[p]; up !== toTerminal; up = parent[p]) {
      const q = p + offset[up];
      residual[8 * q + (up ^ 4)] += flow;
      residual[8 * p + up] -= flow;
      if (residual[8 * p + up] <= 0) this.#orphan(p);
      p = q;
    }
    terminal[p] += flow;
    if (terminal[p] >= 0) this.#orphan(p);
  }

  /** The most that can flow from the source through that link to the sink. */
  #bottleneck(s: number, d: number): number {
    const offset = this.#offset;
    const residual = this.#residual;
    const parent = this.#parent;
    let flow = residual[8 * s + d];
    let p = s;
    for (let up = parent[p]; up !== toTerminal; up = parent[p]) {
      const q = p + offset[up];
      flow = Math.min(flow, residual[8 * q + (up ^ 4)]);
      p = q;
    }
    flow = Math.min(flow, this.#terminal[p]);
    p = s + offset[d];
    for (let up = parent[p]; up !== toTerminal; up = parent[p]) {
      flow = Math.min(flow, residual[8 * p + up]);
      p += offset[up];
    }
    return Math.min(flow, -this.#terminal[p]);
  }

  /** Gives an orphan the nearest parent with a root; without one it is free, its children orphans. */
  #adopt(p: number): void {
    const offset = this.#offset;
    const residual = this.#residual;
    const tree = this.#tree;
    const parent = this.#parent;
    const side = tree[p];
    let best = none;
    let nearest = Number.POSITIVE_INFINITY;
    for (let d = 0; d < 8; d++) {
      const q = p + offset[d];
      if (parent[q] === none || tree[q] !== side) continue;
      if (residual[side === source ? 8 * q + (d ^ 4) : 8 * p + d] <= 0) continue;
      const far = this.#rootDistance(q);
      if (far < nearest) {
        nearest = far;
        best = d;
      }
    }
    if (best !== none) {
      parent[p] = best;
      this.#stamp[p] = this.#time;
      this.#distance[p] = nearest + 1;
      return;
    }
    parent[p] = none;
    for (let d = 0; d < 8; d++) {
      const q = p + offset[d];
      const up = parent[q];
      if (up === none || tree[q] !== side) continue;
      if (residual[side === source ? 8 * q + (d ^ 4) : 8 * p + d] > 0) this.#activate(q);
      if (up === (d ^ 4)) this.#orphan(q);
    }
  }

  /** How far a pixel's root is; Infinity where its way up ends in an orphan. Marks the way for this round. */
  #rootDistance(p: number): number {
    const offset = this.#offset;
    const parent = this.#parent;
    const stamp = this.#stamp;
    const distance = this.#distance;
    const time = this.#time;
    let length = 0;
    let q = p;
    for (;;) {
      if (stamp[q] === time) {
        length += distance[q];
        break;
      }
      const up = parent[q];
      length++;
      if (up === toTerminal) {
        stamp[q] = time;
        distance[q] = 1;
        break;
      }
      if (up === orphaned || up === none) return Number.POSITIVE_INFINITY;
      q += offset[up];
    }
    const found = length;
    for (q = p; stamp[q] !== time; q += offset[parent[q]]) {
      stamp[q] = time;
      distance[q] = length--;
    }
    return found;
  }
}
