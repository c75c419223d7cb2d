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

const none = -1;
const toTerminal = 8;
const orphaned = 9;

/**
 * The minimum cut of an 8-connected grid by Boykov and Kolmogorov's two search trees ("An Experimental
 * Comparison of Min-Cut/Max-Flow Algorithms for Energy Minimization in Vision", PAMI 2004).
 *
 * @param terminals - What a pixel costs on the other side: > 0 off the source's side, < 0 off the sink's; width × height.
 * @param links - What it costs to part a pixel from its right, lower left, lower and lower right neighbour, 4 a
 *   pixel, ≥ 0; those that leave the grid don't count.
 * @returns 1 on the source's side.
 */
export function gridCut(
  width: number,
  height: number,
  terminals: Float32Array,
  links: Float32Array,
): Uint8Array {
  // A rim of pixels without links spares every look at a neighbour the question whether there is one.
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
        const nx = x + steps[d][0];
        if (nx < 0 || nx >= width || y + steps[d][1] >= height) continue;
        const capacity = links[4 * from + d];
        residual[8 * p + d] = capacity;
        residual[8 * (p + offset[d]) + d + 4] = capacity;
      }
    }
  }

  /** 1 in the source's tree, 2 in the sink's; means nothing while `parent` is `none`. */
  const tree = new Uint8Array(count);
  /** Direction of a pixel's parent, or one of the three words above. */
  const parent = new Int8Array(count).fill(none);
  const distance = new Int32Array(count);
  const stamp = new Int32Array(count);
  /** The active pixels, a ring: each is in it once. */
  const ring = new Int32Array(count);
  const queued = new Uint8Array(count);
  let head = 0;
  let waiting = 0;
  const activate = (p: number): void => {
    if (queued[p]) return;
    queued[p] = 1;
    ring[(head + waiting++) % count] = p;
  };
  for (let p = 0; p < count; p++) {
    if (terminal[p] === 0) continue;
    tree[p] = terminal[p] > 0 ? 1 : 2;
    parent[p] = toTerminal;
    distance[p] = 1;
    activate(p);
  }

  const orphans: number[] = [];
  let time = 0;
  const orphan = (p: number): void => {
    parent[p] = orphaned;
    orphans.push(p);
  };

  /** Pushes what can flow through the link between the two trees. */
  const augment = (s: number, d: number): void => {
    const t = s + offset[d];
    let flow = residual[8 * s + d];
    let p = s;
    for (let up = parent[p]; up !== toTerminal; up = parent[p]) {
      const q = p + offset[up];
      flow = Math.min(flow, residual[8 * q + (up ^ 4)]);
      p = q;
    }
    flow = Math.min(flow, terminal[p]);
    p = t;
    for (let up = parent[p]; up !== toTerminal; up = parent[p]) {
      flow = Math.min(flow, residual[8 * p + up]);
      p += offset[up];
    }
    flow = Math.min(flow, -terminal[p]);

    residual[8 * s + d] -= flow;
    residual[8 * t + (d ^ 4)] += flow;
    p = s;
    for (let up = parent[p]; up !== toTerminal; up = parent[p]) {
      const q = p + offset[up];
      residual[8 * p + up] += flow;
      residual[8 * q + (up ^ 4)] -= flow;
      if (residual[8 * q + (up ^ 4)] <= 0) orphan(p);
      p = q;
    }
    terminal[p] -= flow;
    if (terminal[p] <= 0) orphan(p);
    p = t;
    for (let up = parent[p]; up !== toTerminal; up = parent[p]) {
      const q = p + offset[up];
      residual[8 * q + (up ^ 4)] += flow;
      residual[8 * p + up] -= flow;
      if (residual[8 * p + up] <= 0) orphan(p);
      p = q;
    }
    terminal[p] += flow;
    if (terminal[p] >= 0) orphan(p);
  };

  /** How far a pixel's root is; Infinity where its way up ends in an orphan. Marks the way for this round. */
  const rootDistance = (p: number): number => {
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
  };

  const adopt = (p: number): void => {
    const side = tree[p];
    let best = none;
    let nearest = Number.POSITIVE_INFINITY;
    for (let d = 0; d < 8; d++) {
      const q = p + offset[d];
      if (parent[q] === none || tree[q] !== side) continue;
      if (residual[side === 1 ? 8 * q + (d ^ 4) : 8 * p + d] <= 0) continue;
      const far = rootDistance(q);
      if (far < nearest) {
        nearest = far;
        best = d;
      }
    }
    if (best !== none) {
      parent[p] = best;
      stamp[p] = time;
      distance[p] = nearest + 1;
      return;
    }
    parent[p] = none;
    for (let d = 0; d < 8; d++) {
      const q = p + offset[d];
      const up = parent[q];
      if (up === none || tree[q] !== side) continue;
      if (residual[side === 1 ? 8 * q + (d ^ 4) : 8 * p + d] > 0) activate(q);
      if (up === (d ^ 4)) orphan(q);
    }
  };

  while (waiting > 0) {
    const p = ring[head];
    let meeting = none;
    if (parent[p] !== none) {
      const side = tree[p];
      for (let d = 0; d < 8; d++) {
        const q = p + offset[d];
        if (residual[side === 1 ? 8 * p + d : 8 * q + (d ^ 4)] <= 0) continue;
        if (parent[q] === none) {
          tree[q] = side;
          parent[q] = d ^ 4;
          stamp[q] = stamp[p];
          distance[q] = distance[p] + 1;
          activate(q);
        } else if (tree[q] !== side) {
          meeting = d;
          break;
        } else if (stamp[q] <= stamp[p] && distance[q] > distance[p]) {
          parent[q] = d ^ 4;
          stamp[q] = stamp[p];
          distance[q] = distance[p] + 1;
        }
      }
    }
    if (meeting === none) {
      head = (head + 1) % count;
      waiting--;
      queued[p] = 0;
      continue;
    }
    time++;
    if (tree[p] === 1) augment(p, meeting);
    else augment(p + offset[meeting], meeting ^ 4);
    for (let x = orphans.pop(); x !== undefined; x = orphans.pop()) adopt(x);
  }

  const side = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const p = (y + 1) * row + x + 1;
      side[y * width + x] = parent[p] !== none && tree[p] === 1 ? 1 : 0;
    }
  }
  return side;
}
