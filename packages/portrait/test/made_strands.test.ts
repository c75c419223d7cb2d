import { describe, expect, it } from 'vitest';
import { drawStrands, strandAt } from '../src/hair/colour/made_strands.ts';
import { openSheet } from '../src/hair/hair_sheet.ts';
import { craniumColumns, craniumRows } from '../src/skull/skull.ts';

const rows = craniumRows;
const [radius, step] = [0.08, 0.005];

/** Lightness of strands that lie round a cylinder of 80 mm; rows are 5 mm apart. */
const strands = (() => {
  const points = new Float32Array(3 * (rows + 1) * craniumColumns);
  const along = new Float32Array(points.length);
  for (let i = 0; i < points.length / 3; i++) {
    const angle = (2 * Math.PI * i) / craniumColumns;
    points.set(
      [radius * Math.sin(angle), -step * Math.floor(i / craniumColumns), radius * Math.cos(angle)],
      3 * i,
    );
    along.set([Math.cos(angle), 0, -Math.sin(angle)], 3 * i);
  }
  const coverage = new Float32Array((craniumRows + 1) * craniumColumns).fill(1);
  const sheet = { ...openSheet(points, coverage), flow: along };
  return drawStrands(sheet, 1024, () => true);
})();

/** The usual difference of lightness over 5 mm along strands and across them. */
function differences() {
  const round = step / (2 * Math.PI * radius);
  let [alongThem, acrossThem, n] = [0, 0, 0];
  for (let row = 0; row < rows - 1; row += 0.25) {
    for (let u = 0.05; u < 0.9; u += 0.01) {
      const own = strandAt(strands, u, row / rows);
      alongThem += (strandAt(strands, u + round, row / rows) - own) ** 2;
      acrossThem += (strandAt(strands, u, (row + 1) / rows) - own) ** 2;
      n++;
    }
  }
  return { alongThem: Math.sqrt(alongThem / n), acrossThem: Math.sqrt(acrossThem / n) };
}

describe('made strands', () => {
  it('lie as the hair does', () => {
    const { alongThem, acrossThem } = differences();
    expect(acrossThem).toBeGreaterThan(0.5);
    expect(alongThem).toBeLessThan(0.6 * acrossThem);
  });

  it('have no spots where dark strands, tufts and locks meet', () => {
    let [darkest, squares, n] = [0, 0, 0];
    for (let v = 0.002; v < 1; v += 0.004)
      for (let u = 0.05; u < 0.9; u += 0.002) {
        const strand = strandAt(strands, u, v);
        darkest = Math.min(darkest, strand);
        squares += strand ** 2;
        n++;
      }
    expect(Math.sqrt(squares / n)).toBeGreaterThan(0.6);
    expect(darkest).toBeGreaterThan(-2);
  });
});
