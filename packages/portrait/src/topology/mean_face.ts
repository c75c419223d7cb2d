import table from './mean_face.json' with { type: 'json' };

/**
 * The mean face: 468 × 3 metres in the face frame, symmetric, mouth closed; mean_face.json has it in units of 0.01 mm.
 *
 * The mean of this engine's neutral fits of some thirty frontal portraits of women and men: landmarks only, without a
 * picture or a single person's shape.
 */
export const meanFace: Float32Array = Float32Array.from(table, (value) => value * 1e-5);
