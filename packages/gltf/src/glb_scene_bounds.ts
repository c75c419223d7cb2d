import { t } from '@likeness/messages';
import { index, indices, type Json, list, objectIn } from './glb_fields.ts';
import { atMost, Fault, glbLimits } from './glb_limits.ts';

/** Attributes of a vertex: the standard handful and some custom ones. */
const maxAttributes = 64;

interface MeshSize {
  vertices: number;
  corners: number;
}

export function meshesOf(gltf: Json, counts: readonly number[]): MeshSize[] {
  const materials = list(gltf, 'materials').length;
  let primitives = 0;
  let targets = 0;
  let targetVertices = 0;
  const attributesOf = (of: unknown): number[] => {
    if (typeof of !== 'object' || of === null) throw new Fault(t('glb_fault.no_attributes'));
    const used = Object.values(of);
    atMost(used.length, maxAttributes, 'attributes');
    return indices(used, counts.length, 'glb_part.accessor');
  };
  return list(gltf, 'meshes').map((mesh) => {
    const size: MeshSize = { vertices: 0, corners: 0 };
    const parts = list(mesh, 'primitives', glbLimits.primitives);
    primitives += parts.length;
    atMost(primitives, glbLimits.primitives, 'primitives');
    checkNames(mesh);
    for (const part of parts) {
      checkNames(part);
      const extensions = objectIn(part, 'extensions');
      if (extensions?.KHR_draco_mesh_compression) throw new Fault(t('glb_fault.draco'));
      const used = attributesOf(part.attributes);
      const vertices = Math.max(0, ...used.map((number) => counts[number]!));
      const corners = index(part.indices, counts.length, 'glb_part.accessor');
      index(part.material, materials, 'glb_part.material');
      size.vertices += vertices;
      size.corners += corners === null ? vertices : counts[corners]!;
      const morphs = list(part, 'targets', glbLimits.targets);
      targets += morphs.length;
      atMost(targets, glbLimits.allTargets, 'targets');
      for (const morph of morphs) {
        for (const number of attributesOf(morph)) targetVertices += Math.max(vertices, counts[number]!);
      }
      atMost(targetVertices, glbLimits.targetVertices, 'target_vertices');
    }
    return size;
  });
}

/** Names of morph targets are in `extras.targetNames` by convention; glTF itself has no place for them. */
function checkNames(named: Json): void {
  const names = objectIn(named, 'extras')?.targetNames;
  if (Array.isArray(names)) atMost(names.length, glbLimits.targets, 'target_names');
}

/** Nodes make a tree: each has one parent at most, and a scene does not go too deep. */
export function checkNodes(gltf: Json, meshes: readonly MeshSize[], counts: readonly number[]): void {
  const nodes = list(gltf, 'nodes', glbLimits.nodes);
  const skins = list(gltf, 'skins').length;
  const children = nodes.map((node) => indices(node.children, nodes.length, 'glb_part.node'));
  const hasParent = new Set<number>();
  for (const of of children) {
    for (const child of of) {
      if (hasParent.has(child)) throw new Fault(t('glb_fault.two_parents', { number: child }));
      hasParent.add(child);
    }
  }
  let level = nodes.flatMap((_, number) => (hasParent.has(number) ? [] : [number]));
  let reached = 0;
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > glbLimits.depth) throw new Fault(t('glb_fault.node_depth', { most: glbLimits.depth }));
    reached += level.length;
    level = level.flatMap((number) => children[number]!);
  }
  if (reached < nodes.length) throw new Fault(t('glb_fault.circle'));

  const drawn = { vertices: 0, corners: 0 };
  const draw = (number: number): void => {
    const node = nodes[number]!;
    index(node.skin, skins, 'glb_part.skin');
    const mesh = index(node.mesh, meshes.length, 'glb_part.mesh');
    if (mesh === null) return;
    const instances = instancesOf(node, counts);
    drawn.vertices += meshes[mesh]!.vertices * instances;
    drawn.corners += meshes[mesh]!.corners * instances;
    atMost(drawn.vertices, glbLimits.vertices, 'drawn_vertices');
    atMost(drawn.corners, glbLimits.corners, 'drawn_corners');
  };
  // Some readers walk the scenes, some the list of nodes.
  for (const number of nodes.keys()) draw(number);
  drawn.vertices = 0;
  drawn.corners = 0;
  let seen = 0;
  for (const scene of list(gltf, 'scenes', 1000)) {
    let below = indices(scene.nodes, nodes.length, 'glb_part.node');
    if (new Set(below).size < below.length) throw new Fault(t('glb_fault.node_twice'));
    while (below.length > 0) {
      seen += below.length;
      atMost(seen, 2 * glbLimits.nodes, 'scene_nodes');
      for (const number of below) draw(number);
      below = below.flatMap((number) => children[number]!);
    }
  }
  index(gltf.scene, list(gltf, 'scenes').length, 'glb_part.scene');
}

function instancesOf(node: Json, counts: readonly number[]): number {
  const attributes = objectIn(
    objectIn(objectIn(node, 'extensions') ?? {}, 'EXT_mesh_gpu_instancing') ?? {},
    'attributes',
  );
  if (!attributes) return 1;
  atMost(Object.keys(attributes).length, maxAttributes, 'instance_attributes');
  return Math.max(
    1,
    ...indices(Object.values(attributes), counts.length, 'glb_part.accessor').map((at) => counts[at]!),
  );
}

export function checkMotion(gltf: Json, counts: readonly number[]): void {
  const nodes = list(gltf, 'nodes').length;
  let joints = 0;
  for (const skin of list(gltf, 'skins')) {
    joints += indices(skin.joints, nodes, 'glb_part.node').length;
    atMost(joints, glbLimits.joints, 'joints');
    index(skin.inverseBindMatrices, counts.length, 'glb_part.accessor');
  }
  let tracks = 0;
  let values = 0;
  for (const animation of list(gltf, 'animations')) {
    for (const name of ['samplers', 'channels']) tracks += list(animation, name).length;
    atMost(tracks, glbLimits.tracks, 'tracks');
    for (const { input, output } of list(animation, 'samplers')) {
      for (const at of [input, output])
        values += counts[index(at ?? null, counts.length, 'glb_part.accessor')!]!;
      atMost(values, glbLimits.trackValues, 'track_values');
    }
  }
}
