export type Translation = [number, number, number];
export type Quaternion = [number, number, number, number];

/**
 * The space of a joint's parent at rest. A pose is given in the head's space (metres, +Y up, the face along +Z);
 * a rig may turn, scale or mirror everything above the joint.
 */
export class JointSpace {
  /** Inverse of the parent's 3 × 3, column by column. */
  readonly #inverse: readonly number[];
  readonly #mirrors: boolean;

  /** @param world matrix of the joint's parent, 4 × 4, column by column; null where the joint has none */
  constructor(world: ArrayLike<number> | null) {
    const m = world ?? [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    const [a, b, c, d, e, f, g, h, i] = [0, 1, 2, 4, 5, 6, 8, 9, 10].map((at) => m[at]!) as unknown as [
      ...Translation,
      ...Translation,
      ...Translation,
    ];
    const determinant = a * (e * i - f * h) - d * (b * i - c * h) + g * (b * f - c * e);
    this.#mirrors = determinant < 0;
    const adjugate = [
      ...[e * i - f * h, c * h - b * i, b * f - c * e],
      ...[f * g - d * i, a * i - c * g, c * d - a * f],
      ...[d * h - e * g, b * g - a * h, a * e - b * d],
    ];
    // A rig that flattens space has no inverse: its joint moves as if it had no parent.
    const isFlat = !Number.isFinite(1 / determinant);
    this.#inverse = isFlat ? [1, 0, 0, 0, 1, 0, 0, 0, 1] : adjugate.map((value) => value / determinant);
  }

  /** A movement in the parent's units. */
  move([x, y, z]: Readonly<Translation>): Translation {
    const m = this.#inverse;
    return [0, 1, 2].map((row) => m[row]! * x + m[row + 3]! * y + m[row + 6]! * z) as Translation;
  }

  /** A rotation about the parent's axes. */
  turn([x, y, z, w]: Readonly<Quaternion>): Quaternion {
    const axis = this.move([x, y, z]);
    const length = Math.hypot(...axis);
    if (length === 0) return [0, 0, 0, 1];
    // Seen in a mirror, the same axis turns the other way.
    const scale = ((this.#mirrors ? -1 : 1) * Math.hypot(x, y, z)) / length;
    return [axis[0] * scale, axis[1] * scale, axis[2] * scale, w];
  }
}
