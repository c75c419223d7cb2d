import type { HeadModel } from '@likeness/portrait';
import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import type { FaceMesh } from './face_maker.ts';

/** The vertices that one channel moves: vertex number, then its displacement, 3 metres each. */
interface Movement {
  readonly channel: number;
  readonly vertices: Uint32Array;
  readonly offsets: Float32Array;
}

/**
 * Loads the studio's default head as one mesh: all surfaces in file order, with the origin at the pivot of
 * the file's node `Head`. The 52 ARKit channels move it; visemes are mixtures of these and would open the
 * mouth twice. Gaze uses the eyeLook channels, which turn the eyeballs too. The head pose belongs to the
 * frame and is not in the vertices.
 */
export async function loadDefaultMesh(channelNames: readonly string[]): Promise<FaceMesh> {
  const { defaultShape } = await import('@likeness/synthetic-heads');
  return meshOf(await defaultShape(), channelNames);
}

function meshOf(head: HeadModel, channelNames: readonly string[]): FaceMesh {
  const vertexCount = head.surfaces.reduce((count, { points }) => count + points.length / 3, 0);
  const rest = new Float32Array(3 * vertexCount);
  const triangles: number[] = [];
  const moved = new Map<number, { vertices: number[]; offsets: number[] }>();
  const targets = arkitBlendshapeNames.map((name) => [
    head.targetNames.indexOf(name),
    channelNames.indexOf(name),
  ]) as [target: number, channel: number][];
  let first = 0;
  for (const { node, points, triangles: own, morphs } of head.surfaces) {
    const centre =
      node === 'LeftEye' ? head.leftEye : node === 'RightEye' ? head.rightEye : ([0, 0, 0] as const);
    points.forEach((value, i) => {
      const axis = i % 3;
      rest[3 * first + i] = value + centre[axis]! - head.headPivot[axis]!;
    });
    for (const vertex of own) triangles.push(first + vertex);
    for (const [target, channel] of targets) {
      const offset = morphs?.[target];
      if (!offset || channel < 0) continue;
      const into = moved.get(channel) ?? { vertices: [], offsets: [] };
      moved.set(channel, into);
      for (let i = 0; i < offset.length; i += 3) {
        if (offset[i] === 0 && offset[i + 1] === 0 && offset[i + 2] === 0) continue;
        into.vertices.push(first + i / 3);
        into.offsets.push(offset[i]!, offset[i + 1]!, offset[i + 2]!);
      }
    }
    first += points.length / 3;
  }
  const movements: Movement[] = [...moved].map(([channel, { vertices, offsets }]) => ({
    channel,
    vertices: Uint32Array.from(vertices),
    offsets: Float32Array.from(offsets),
  }));
  return {
    topology: { vertexCount, triangleIndices: Uint32Array.from(triangles) },
    pose(weights) {
      const out = rest.slice();
      for (const { channel, vertices, offsets } of movements) {
        const weight = weights[channel]!;
        if (weight === 0) continue;
        for (let k = 0; k < vertices.length; k++) {
          const at = 3 * vertices[k]!;
          out[at] = out[at]! + weight * offsets[3 * k]!;
          out[at + 1] = out[at + 1]! + weight * offsets[3 * k + 1]!;
          out[at + 2] = out[at + 2]! + weight * offsets[3 * k + 2]!;
        }
      }
      return out;
    },
  };
}
