import type { Vector } from '@likeness/geometry/vector.ts';
import type { PhotoWarning } from '@likeness/proto/heads/photo_findings.ts';
import type { Raster } from '../contract/head_model.ts';
import type { PaintedSkin } from '../hair/colour/skin_on_sheet.ts';
import type { FaceSides } from '../hair/face_sides.ts';
import type { HairSheet } from '../hair/hair_sheet.ts';
import type { Cranium } from '../skull/skull.ts';
import type { Canvas } from '../texture/texture_fill.ts';

/** The skin's surface as it is laid out, before it has colours; face frame, metres. */
export interface AssembledSkin {
  readonly points: Float32Array;
  readonly normals: Float32Array;
  readonly uv: Float32Array;
  readonly photo: Float32Array;
  readonly trust: Float32Array;
  readonly triangles: Uint32Array;
  readonly headShare: Float32Array;
  readonly deltas: (Float32Array | undefined)[];
  /** 0..1: light that reaches a vertex of the ears. */
  readonly light: Float32Array;
  /** The triangles of one ear, from … to; both wear its colours. Empty where hair hides both. */
  readonly earTriangles: readonly [number, number];
}

/** Hair and colours of a head, read from a photo or drawn. */
export interface Appearance {
  /** How sure the outline of head and hair is, 0..1. */
  readonly silhouette: number;
  readonly warnings: readonly PhotoWarning[];
  /** Side of the skin's texture and of the hair's, pixels. */
  readonly skinSize: number;
  readonly hairSize: number;
  /** Half-width of the mouth's inside behind the cheeks, metres. */
  readonly mouthRoom: number;
  /** The teeth's colour, linear RGB, if known. */
  readonly enamel?: Vector;
  /** Ears and neck as a photo shows them. */
  readonly beside?: FaceSides;
  /** The hair over the bare head; `cranium` may be fitted to it in place. */
  buildHair(cranium: Cranium): HairSheet;
  /** The skin's colours, known all over. */
  paintSkin(skin: AssembledSkin, cranium: Cranium, hair: HairSheet, size: number): Canvas;
  paintHair(hair: HairSheet, size: number, skin: PaintedSkin): Raster;
  paintEye(side: 'left' | 'right', size: number): Raster;
}
