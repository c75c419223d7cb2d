import type { BesideFace } from './beside_face.ts';
import type { HairSheet } from './hair.ts';
import type { Raster } from './head_model.ts';
import type { PortraitWarning } from './head_request.ts';
import type { Hood } from './skull.ts';
import type { Canvas } from './texture_fill.ts';
import type { Vector } from './vector.ts';

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
  /** × 3: the photo's light that was taken out of the colours, linear factors, 1 where none was. */
  readonly photoLight: Float32Array;
  /** Where the triangles of one ear begin and end; both wear the same colours. Empty where hair hides both. */
  readonly earTriangles: readonly [number, number];
}

/** What a head wears on its shape: hair and colours, read off a photo or drawn. */
export interface Look {
  /** How sure the outline of head and hair is, 0..1. */
  readonly silhouette: number;
  readonly warnings: readonly PortraitWarning[];
  /** Side of the skin's texture and of the hair's, pixels. */
  readonly skinSize: number;
  readonly hairSize: number;
  /** Half-width of the mouth's inside behind the cheeks, metres. */
  readonly mouthRoom: number;
  /** The teeth's colour, linear RGB, where something tells of it. */
  readonly enamel?: Vector;
  /** What a photo shows of ears and neck. */
  readonly beside?: BesideFace;
  /** The hair over the bare head; `hood` may be fitted to it in place. */
  growHair(hood: Hood): HairSheet;
  /** The skin's colours, known all over. */
  paintSkin(skin: AssembledSkin, hood: Hood, hair: HairSheet, size: number): Canvas;
  paintHair(hair: HairSheet, size: number): Raster;
  paintEye(side: 'left' | 'right', size: number): Raster;
}
