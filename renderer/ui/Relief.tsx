import { useMemo } from 'react';
import classes from './Relief.module.css';

/** A soft bump of height `h` at (`x`, `y`), `sx` wide and `sy` high. */
const bump = (u: number, v: number, x: number, y: number, sx: number, sy: number, h: number): number =>
  h * Math.exp(-(((u - x) / sx) ** 2) - ((v - y) / sy) ** 2);

/** Half the head's width at height `v` (-1 crown … 1 chin), 0..1. */
function outline(v: number): number {
  if (v < -1 || v > 1) return 0;
  const skull = Math.sqrt(Math.max(0, 1 - ((v + 0.22) / 0.8) ** 2)) * 0.7;
  const jaw = 0.66 * Math.sqrt(Math.max(0, 1 - ((v + 0.18) / 1.2) ** 2.6));
  return v < -0.2 ? skull : Math.min(0.7, jaw);
}

/** How far the face stands out at (`u` across, `v` down): an egg, and features as bumps and hollows on it. */
function height(u: number, v: number): number {
  const half = outline(v);
  if (half === 0) return 0;
  const across = u / half;
  if (Math.abs(across) >= 1) return 0;
  const egg = Math.sqrt(1 - across ** 2) * 0.42 * Math.min(1, half / 0.45);
  const side = Math.abs(u);
  return (
    egg +
    bump(side, v, 0.27, -0.2, 0.2, 0.06, 0.05) + // brow
    bump(side, v, 0.27, -0.06, 0.13, 0.075, -0.12) + // eye socket
    bump(side, v, 0.27, -0.055, 0.075, 0.045, 0.07) + // eyeball
    bump(side, v, 0.4, 0.16, 0.14, 0.13, 0.055) + // cheekbone
    bump(u, v, 0, 0.06, 0.07, 0.2, 0.15) + // bridge
    bump(u, v, 0, 0.22, 0.085, 0.08, 0.17) + // tip
    bump(side, v, 0.1, 0.25, 0.05, 0.05, 0.06) + // wing
    bump(u, v, 0, 0.37, 0.04, 0.06, -0.03) + // philtrum
    bump(u, v, 0, 0.465, 0.16, 0.035, 0.06) + // upper lip
    bump(u, v, 0, 0.515, 0.18, 0.016, -0.07) + // mouth
    bump(u, v, 0, 0.57, 0.14, 0.04, 0.075) + // lower lip
    bump(u, v, 0, 0.67, 0.14, 0.04, -0.04) + // under the lip
    bump(u, v, 0, 0.82, 0.15, 0.09, 0.075) // chin
  );
}

/**
 * A face in contour lines: sections through a height field, each drawn as seen from a little above. It stands where a
 * head will be, and is plainly not one.
 */
export function Relief({ lines = 58, className }: { lines?: number; className?: string | undefined }) {
  const paths = useMemo(() => {
    const samples = 150;
    return Array.from({ length: lines }, (_, line) => {
      const v = -1.02 + (2.04 * (line + 0.5)) / lines;
      const half = outline(v);
      if (half < 0.04) return undefined;
      const points = Array.from({ length: samples + 1 }, (_, sample) => {
        const u = -half + (2 * half * sample) / samples;
        // Turned a little to the side, so that the nose and the brow stand off the middle.
        const z = height(u, v);
        const x = 200 + (u * Math.cos(0.42) + z * Math.sin(0.42) * 1.25) * 190;
        const y = 250 + (v - z * 0.34) * 200;
        return `${x.toFixed(1)} ${y.toFixed(1)}`;
      });
      return `M${points.join('L')}`;
    }).filter((path) => path !== undefined);
  }, [lines]);
  return (
    <svg
      viewBox="30 -5 360 480"
      className={[classes.relief, className].filter(Boolean).join(' ')}
      aria-hidden="true"
    >
      {paths.map((path) => (
        <path key={path.slice(0, 16)} d={path} />
      ))}
    </svg>
  );
}
