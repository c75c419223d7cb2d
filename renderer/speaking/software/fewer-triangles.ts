/**
 * Simplifies a head to fewer triangles and meshes, for machines whose processor draws. There every triangle
 * costs, however small, and a generated head has one for every five pixels of a window.
 *
 * Vertices and their morph targets stay in place. Only the surface between them gets coarser, least where the
 * talking shapes bend it. The simplifier is meshoptimizer's (quadric errors with attributes: Garland and
 * Heckbert 1998, Hoppe 1999).
 */
import { MeshoptSimplifier } from 'meshoptimizer/simplifier';
import {
  BufferAttribute,
  type BufferGeometry,
  type Material,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  SkinnedMesh,
} from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';

/**
 * Share of a mesh's triangles that is kept at least; and the largest error,
 * metres: a pixel or two of a head in a window.
 */
const minShare = 0.17;
const maxError = 0.0012;
/**
 * The same of hair, which lies so close over the skin that the skin would come through: hairlines broke up
 * into scraps. By the name of its material in the studio's own heads.
 */
const maxHairError = 0.0003;
/** Below so many triangles there is nothing to gain. */
const fewTriangles = 150;
/**
 * Shapes that must bend as before: lips and lids do the talking. Their
 * offsets fit into the simplifier's 32 attributes.
 */
const bending = [
  'jawOpen',
  'mouthFunnel',
  'mouthSmileLeft',
  'mouthSmileRight',
  'mouthClose',
  'mouthUpperUpLeft',
  'eyeBlinkLeft',
  'eyeBlinkRight',
];
/**
 * Shapes whose every vertex stays that they move by so large a share of the most:
 * eyes look out between lids, and lids are fine.
 */
const keeping = { names: ['eyeBlinkLeft', 'eyeBlinkRight', 'mouthRollLower', 'mouthRollUpper'], from: 0.4 };
/** Weight of an attribute's error against a position's, both as shares of the mesh's size. */
const importance = { normal: 0.05, uv: 0.3, bend: 3 };

/** Attributes that morph targets change in the studio's own heads. */
const morphed = ['position', 'normal'] as const;

/** Simplifies a head's meshes. Call it before they are driven. */
export async function reduceTriangles(head: Object3D): Promise<void> {
  await MeshoptSimplifier.ready;
  head.traverse((node) => {
    if (!(node instanceof Mesh) || !node.geometry.index) return;
    if (node.geometry.index.count / 3 <= fewTriangles) return;
    const isHair = [node.material].flat()[0]?.name === 'Hair';
    reduce(node.geometry, node.morphTargetDictionary ?? {}, isHair ? maxHairError : maxError);
  });
}

/** @param error metres, at most */
function reduce(geometry: BufferGeometry, shapes: Record<string, number>, error: number): void {
  const { position, normal, uv } = geometry.attributes as Record<string, BufferAttribute | undefined>;
  if (!position) return;
  const positions = valuesOf(position);
  const size = MeshoptSimplifier.getScale(positions, 3);
  const morphs = geometry.morphAttributes.position ?? [];
  const columns = [
    ...(normal ? [{ attribute: normal, weight: importance.normal }] : []),
    ...(uv ? [{ attribute: uv, weight: importance.uv }] : []),
    ...bending.flatMap((name) => {
      const target = morphs[shapes[name] ?? -1] as BufferAttribute | undefined;
      return target ? [{ attribute: target, weight: importance.bend / size }] : [];
    }),
  ];
  const weights = columns.flatMap(({ attribute, weight }) =>
    Array.from({ length: attribute.itemSize }, () => weight),
  );
  const index = Uint32Array.from(geometry.index!.array);
  const [kept] = MeshoptSimplifier.simplifyWithAttributes(
    index,
    positions,
    3,
    sideBySide(
      columns.map(({ attribute }) => attribute),
      position.count,
    ),
    weights.length,
    weights,
    lockOf(position.count, morphs as BufferAttribute[], shapes),
    Math.ceil((index.length * minShare) / 3) * 3,
    error,
    ['LockBorder', 'ErrorAbsolute'],
  );
  const [remap, used] = MeshoptSimplifier.compactMesh(kept);
  geometry.setIndex(new BufferAttribute(kept, 1));
  for (const [name, attribute] of Object.entries(geometry.attributes))
    geometry.setAttribute(name, compacted(attribute as BufferAttribute, remap, used));
  // three's shaders would take an empty list for existing morph targets.
  if (morphs.length === 0) return;
  for (const name of morphed)
    geometry.morphAttributes[name] &&= geometry.morphAttributes[name].map((target) =>
      compacted(target as BufferAttribute, remap, used),
    );
}

/** 1 for each vertex that is to stay. */
function lockOf(
  count: number,
  morphs: readonly BufferAttribute[],
  shapes: Record<string, number>,
): Uint8Array {
  const lock = new Uint8Array(count);
  for (const name of keeping.names) {
    const target = morphs[shapes[name] ?? -1];
    if (!target) continue;
    const lengths = Array.from({ length: count }, (_, vertex) =>
      Math.hypot(target.getX(vertex), target.getY(vertex), target.getZ(vertex)),
    );
    const from = keeping.from * lengths.reduce((max, length) => Math.max(max, length), 1e-9);
    for (const [vertex, length] of lengths.entries()) if (length >= from) lock[vertex] = 1;
  }
  return lock;
}

/** Rows of all attributes, one a vertex. */
function sideBySide(attributes: readonly BufferAttribute[], count: number): Float32Array {
  const stride = attributes.reduce((sum, { itemSize }) => sum + itemSize, 0);
  const rows = new Float32Array(count * stride);
  let column = 0;
  for (const attribute of attributes) {
    for (let vertex = 0; vertex < count; vertex++)
      for (let k = 0; k < attribute.itemSize; k++)
        rows[vertex * stride + column + k] = attribute.getComponent(vertex, k);
    column += attribute.itemSize;
  }
  return rows;
}

const valuesOf = (attribute: BufferAttribute): Float32Array => sideBySide([attribute], attribute.count);

/** Place of a vertex that is in no triangle any more. */
const nowhere = 0xffffffff;

/**
 * An attribute of the remaining vertices, as plain floats even if the file had it quantised.
 */
function compacted(attribute: BufferAttribute, remap: Uint32Array, used: number): BufferAttribute {
  const { itemSize, count } = attribute;
  const areIndices = !attribute.normalized && !(attribute.array instanceof Float32Array);
  const values = areIndices ? new Uint16Array(used * itemSize) : new Float32Array(used * itemSize);
  for (let vertex = 0; vertex < count; vertex++) {
    const target = remap[vertex]!;
    if (target === nowhere) continue;
    for (let k = 0; k < itemSize; k++) values[target * itemSize + k] = attribute.getComponent(vertex, k);
  }
  return new BufferAttribute(values, itemSize);
}

/**
 * Makes one mesh of those that hang on the same bone or skeleton, stand there
 * alike, look alike and have the same shapes.
 */
export function mergeSiblings(head: Object3D): void {
  const groups = new Map<string, Mesh[]>();
  head.traverse((node) => {
    if (!(node instanceof Mesh) || Array.isArray(node.material)) return;
    if (node.children.length > 0) return;
    node.updateMatrix();
    const key = JSON.stringify([
      node.parent?.uuid,
      node instanceof SkinnedMesh ? node.skeleton.uuid : '',
      appearanceOf(node.material),
      node.matrix.elements,
      node.morphTargetDictionary,
      Object.keys(node.geometry.attributes).sort(),
      Object.keys(node.geometry.morphAttributes).sort(),
    ]);
    groups.set(key, [...(groups.get(key) ?? []), node]);
  });
  for (const [first, ...others] of groups.values()) {
    if (!first || others.length === 0) continue;
    const all = [first, ...others].map(({ geometry }) => plain(geometry));
    const merged = mergeGeometries(all);
    for (const geometry of all) geometry.dispose();
    if (!merged) continue;
    for (const { geometry } of [first, ...others]) geometry.dispose();
    first.geometry = merged;
    for (const mesh of others) mesh.removeFromParent();
  }
}

/** The visible properties of a material, so that materials that differ only in name are merged. */
function appearanceOf(material: Material): unknown {
  if (!(material instanceof MeshStandardMaterial) || material.normalMap || material.emissiveMap)
    return material.uuid;
  const { color, roughness, metalness, opacity, transparent, side, vertexColors, alphaTest, map } = material;
  return [
    color.getHex(),
    roughness,
    metalness,
    opacity,
    transparent,
    side,
    vertexColors,
    alphaTest,
    map?.uuid,
    material.emissive.getHex(),
  ];
}

/** A copy whose attributes are all plain numbers, so that those of several fit together. */
function plain(geometry: BufferGeometry): BufferGeometry {
  const copy = geometry.clone();
  for (const [name, attribute] of Object.entries(copy.attributes))
    copy.setAttribute(name, new BufferAttribute(valuesOf(attribute as BufferAttribute), attribute.itemSize));
  for (const name of morphed)
    copy.morphAttributes[name] &&= copy.morphAttributes[name].map(
      (target) => new BufferAttribute(valuesOf(target as BufferAttribute), 3),
    );
  return copy;
}
