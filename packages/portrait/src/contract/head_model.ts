import type { Vector } from '@likeness/geometry/vector.ts';
import type { Patches } from './patches.ts';

/** A picture that a material wears: raw for our own rasteriser, encoded for the file. */
export interface Raster {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** 3 or 4 bytes a pixel, sRGB. */
  readonly channels: 3 | 4;
  readonly data: Uint8Array;
  /** JPEG quality; PNG when absent. */
  readonly quality?: number;
  /** Colours are as fine as brightness: they are numbers, not looked at. */
  readonly fullChroma?: true;
}

export interface Material {
  readonly name: string;
  /** Linear RGBA factor. */
  readonly colour: readonly [number, number, number, number];
  readonly roughness: number;
  /** 0..1; 0 when absent. */
  readonly metallic?: number;
  /** Index into the model's rasters. */
  readonly texture?: number;
  /** The same of a picture whose green the roughness is multiplied by. */
  readonly roughnessTexture?: number;
  /** The same of a picture of normals in tangent space, green up. */
  readonly normalTexture?: number;
  readonly alphaMode?: 'BLEND' | 'MASK';
  readonly doubleSided?: boolean;
}

/** One primitive of the head. Metres, origin at the neck base; for an eye, at its centre. */
export interface Surface {
  readonly name: string;
  readonly material: number;
  readonly node: 'skin' | 'Head' | 'LeftEye' | 'RightEye';
  readonly points: Float32Array;
  readonly normals: Float32Array;
  readonly uv?: Float32Array;
  /** Linear RGB a vertex. */
  readonly colours?: Float32Array;
  readonly triangles: Uint32Array;
  /** Where vertices may be left out of the file. */
  readonly patches?: Patches;
  /** 1 a vertex that the file may leave out: skin that hair lies over and no target moves; hair well off the skin. */
  readonly covered?: Uint8Array;
  /** Displacements by target (the model's order); undefined rests. Absent on what never moves. */
  readonly morphs?: readonly (Float32Array | undefined)[];
  /** Share of the Head joint a vertex, the rest goes to Neck; for node 'skin'. */
  readonly headShare?: Float32Array;
}

export interface HeadModel {
  readonly surfaces: readonly Surface[];
  readonly materials: readonly Material[];
  readonly rasters: readonly Raster[];
  readonly targetNames: readonly string[];
  /** Where Head turns on Neck, and the eyes' centres; metres from the neck base. */
  readonly headPivot: Vector;
  readonly leftEye: Vector;
  readonly rightEye: Vector;
  /** The neck base in the face's frame, when the head was made from a face. */
  readonly neckBase?: Vector;
  /** ARKit weights, 0..1, that bring the photo's own mouth back on the neutral head. */
  readonly photoExpression?: Readonly<Record<string, number>>;
  readonly extras: Record<string, unknown>;
}
