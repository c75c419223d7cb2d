import { eyeballRadius } from '../fit/face_fit.ts';

/** A surface with its own texture coordinates, about the eye's centre, looking along +z. */
export interface EyeSurface {
  readonly points: Float32Array;
  readonly uv: Float32Array;
  readonly triangles: Uint32Array;
}

/** The angle from the pole that the eye texture reaches at its edge, radians. */
export const eyeTextureAngle = 1.9;

const segments = 32;

/** Points on rings about +z given as [angle from the pole, distance from the centre]. */
function capOf(rings: readonly (readonly [number, number])[]): EyeSurface {
  const count = 1 + (rings.length - 1) * segments;
  const points = new Float32Array(count * 3);
  const uv = new Float32Array(count * 2);
  const triangles: number[] = [];
  for (let ring = 0; ring < rings.length; ring++) {
    const [angle, r] = rings[ring];
    for (let k = 0; k < (ring === 0 ? 1 : segments); k++) {
      const i = ring === 0 ? 0 : 1 + (ring - 1) * segments + k;
      const turn = (2 * Math.PI * k) / segments;
      points.set(
        [r * Math.sin(angle) * Math.cos(turn), r * Math.sin(angle) * Math.sin(turn), r * Math.cos(angle)],
        3 * i,
      );
      const span = Math.min(1, angle / eyeTextureAngle) * 0.5;
      uv.set([0.5 + span * Math.cos(turn), 0.5 - span * Math.sin(turn)], 2 * i);
      if (ring === 0) continue;
      const next = 1 + (ring - 1) * segments + ((k + 1) % segments);
      if (ring === 1) triangles.push(0, i, next);
      else triangles.push(i - segments, i, next, i - segments, next, next - segments);
    }
  }
  return { points, uv, triangles: Uint32Array.from(triangles) };
}

/** The eyeball: sclera as a sphere, the iris as a shallow bowl behind the limbus, open at the back. */
export function buildEyeball(irisRadius: number): EyeSurface {
  const limbus = Math.asin(irisRadius / eyeballRadius);
  const rings: [number, number][] = [];
  const plane = Math.cos(limbus) * eyeballRadius;
  for (const share of [0, 0.2, 0.35, 0.5, 0.65, 0.8, 0.92]) {
    // A plane 0.3 mm deeper in the middle than at the limbus.
    const z = plane - 0.0003 * (1 - share * share);
    rings.push([Math.atan2(irisRadius * share, z), Math.hypot(irisRadius * share, z)]);
  }
  for (const angle of [0, 0.05, 0.12, 0.22, 0.34, 0.5, 0.75, 1.1, 1.5, 1.9]) {
    rings.push([limbus + (angle * (2.3 - limbus)) / 1.9, eyeballRadius]);
  }
  return capOf(rings);
}

/**
 * The cornea and the film of tears beside it: a clear cap that stands up to 0.8 mm off the eyeball, less than
 * a true one, so that lids clear it.
 */
export function buildCornea(irisRadius: number): EyeSurface {
  const limbus = Math.asin(irisRadius / eyeballRadius) * 1.12;
  const rings: [number, number][] = [];
  for (let i = 0; i <= 6; i++) {
    const share = i / 6;
    rings.push([limbus * share, eyeballRadius + 0.00008 + 0.00072 * (1 - share * share) ** 1.25]);
  }
  for (const angle of [0.2, 0.42, 0.7]) rings.push([limbus + angle, eyeballRadius + 0.00008]);
  return capOf(rings);
}
