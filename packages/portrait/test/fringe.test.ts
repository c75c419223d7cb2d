import { frontalLandmarks } from '@likeness/synthetic-heads/frontal_landmarks.ts';
import { describe, expect, it } from 'vitest';
import { fitFace } from '../src/fit/face_fit.ts';
import { hairLostAtFace, smearedHair } from '../src/hair/fringe.ts';
import { craniumColumnOf } from '../src/hair/hair_sheet.ts';
import type { Silhouette } from '../src/segment/silhouette.ts';
import { fineFace } from '../src/topology/fine_face.ts';
import { meanFace } from '../src/topology/mean_face.ts';
import { acrossAt, downAt, type Place, turning, vertexAt } from './face_places.ts';

const forehead: Place = [0.5, 0.2];
const temple: Place = [0.06, 0.35];
const fit = { pose: fitFace(frontalLandmarks(meanFace)).pose };

describe('hair over a temple', () => {
  const smeared = (place: Place, angle: number, hair = 1): number =>
    smearedHair(fit.pose, turning(angle, angle), vertexAt(place), hair);

  it('gives way to skin where the temple turns away from the camera', () => {
    expect(smeared(temple, 1.2)).toBeGreaterThan(0.95);
    expect(smeared(temple, 1.2, 0)).toBe(0);
  });

  it('stays where the camera looks straight at it, and so does a fringe', () => {
    expect(smeared(temple, 0.4)).toBe(0);
    expect(smeared(forehead, 1.2)).toBe(0);
  });
});

describe('hair at the face’s oval', () => {
  /** How much of it the face doesn't show over the forehead and at the side, in a photo of so much hair and skin. */
  function lost(hair: number, skin: number, angle: number): { above: number; beside: number } {
    const cut = {
      toCrop: (): [number, number] => [0.5, 0.5],
      width: 1,
      height: 1,
    } as unknown as Silhouette;
    const map = { hair: Float32Array.of(hair), skin: Float32Array.of(skin) };
    const columns = hairLostAtFace(
      { fit, cut, map },
      { points: meanFacePoints, normals: turning(angle, angle) },
    );
    const at = (isBetter: (a: number, b: number) => boolean): number => {
      const oval = columns.map((_, j) => fineFace.oval[craniumColumnOf(j)]!);
      const best = oval.reduce((a, b) => (isBetter(b, a) ? b : a));
      return columns[oval.indexOf(best)]!;
    };
    return {
      above: at((a, b) => downAt(a) < downAt(b)),
      beside: at((a, b) => acrossAt(a) < acrossAt(b)),
    };
  }
  const meanFacePoints = fineFace.refine(meanFace, 3);

  it('goes on where the face shows it too', () => {
    expect(lost(1, 0, 0)).toEqual({ above: 0, beside: 0 });
  });

  it('is lost where a side is seen askance, and where a fringe is thin', () => {
    const askance = lost(1, 0, 1.2);
    expect(askance.above).toBe(0);
    expect(askance.beside).toBeGreaterThan(0.95);
    expect(lost(0.6, 0.6, 0).above).toBeGreaterThan(0.95);
  });

  it('is not lost where there is none', () => {
    expect(lost(0, 1, 1.2)).toEqual({ above: 0, beside: 0 });
  });
});
