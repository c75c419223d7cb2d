import { type BufferGeometry, Mesh, type Object3D, type PerspectiveCamera } from 'three';
import type { StageSize } from '../drawn-area.ts';

/** Milliseconds without a change after which a picture counts as still. */
const stillAfter = 250;

/**
 * Tells whether a new drawing would differ from the current picture. A paused or loading take need not be
 * redrawn sixty times a second.
 */
export class SceneWatch {
  #seen = new Float64Array(0);
  #changedAt = Number.NEGATIVE_INFINITY;

  /**
   * Takes note of how all is now.
   *
   * @param scene whose world matrices are up to date, as the camera's
   * @param now milliseconds
   * @returns whether it moves, has only just stopped or stands still
   */
  observe(
    scene: Object3D,
    camera: PerspectiveCamera,
    { width, height }: StageSize,
    now: number,
  ): 'moves' | 'rests' | 'is still' {
    const values = [width, height, ...camera.matrixWorld.elements, ...camera.projectionMatrix.elements];
    scene.traverse((node) => {
      values.push(Number(node.visible), ...node.matrixWorld.elements);
      // Morph targets are blended into these.
      if (node instanceof Mesh) values.push(...versionsOf(node.geometry));
    });
    const before = this.#seen;
    this.#seen = Float64Array.from(values);
    if (values.length !== before.length || values.some((value, at) => value !== before[at])) {
      this.#changedAt = now;
      return 'moves';
    }
    return now - this.#changedAt < stillAfter ? 'rests' : 'is still';
  }
}

const versionsOf = ({ attributes }: BufferGeometry): number[] =>
  Object.values(attributes).map((each) => ('version' in each ? each.version : each.data.version));
