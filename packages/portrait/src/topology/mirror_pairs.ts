/** Cells a side of the grid that places are looked up in. */
const cells = 48;

/** For each place (× 2, 0..1) the one that lies nearest to its mirror image (1 − u, v). */
export function mirrorPairs(uv: Float32Array): Uint16Array {
  const column = (u: number): number => Math.floor(Math.min(0.999, Math.max(0, u)) * cells);
  const count = uv.length / 2;
  const grid = Array.from({ length: cells * cells }, (): number[] => []);
  for (let i = 0; i < count; i++) grid[column(uv[2 * i + 1]) * cells + column(uv[2 * i])].push(i);
  return Uint16Array.from({ length: count }, (_, i) => {
    const [u, v] = [1 - uv[2 * i], uv[2 * i + 1]];
    let partner = i;
    let min = Number.POSITIVE_INFINITY;
    // The nearest lies in the next ring at the furthest once one is found.
    for (let ring = 0; ring <= cells && (ring < 2 || min > ((ring - 1) / cells) ** 2); ring++)
      for (let y = column(v) - ring; y <= column(v) + ring; y++)
        for (let x = column(u) - ring; x <= column(u) + ring; x++) {
          if (Math.max(Math.abs(x - column(u)), Math.abs(y - column(v))) < ring) continue;
          for (const j of grid[y * cells + x] ?? []) {
            const far = (uv[2 * j] - u) ** 2 + (uv[2 * j + 1] - v) ** 2;
            if (far < min) [partner, min] = [j, far];
          }
        }
    return partner;
  });
}
