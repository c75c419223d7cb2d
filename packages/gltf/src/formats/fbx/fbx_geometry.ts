import type { MergedMesh, MorphTarget } from '../scene/mesh_data.ts';
import { shapeNames } from '../scene/shape_names.ts';
import { encoded } from '../scene/vertices.ts';
import { double, type FbxNode, int, node, packed, text } from './fbx_binary.ts';
import { type FbxObjects, properties, property } from './fbx_objects.ts';

/** FBX's centimetres per glTF metre. */
export const centimetres = 100;

/** Doubles, as FBX requires, with no more digits than their source floats, so that they deflate well. */
const lengths = (values: Float32Array): Float64Array =>
  Float64Array.from(values, (value) => Math.fround(value * centimetres));

/** @returns the id of the mesh's geometry */
export async function addGeometry(objects: FbxObjects, mesh: MergedMesh, name: string): Promise<number> {
  // The last corner of a polygon is marked by a negative index.
  const corners = Int32Array.from(mesh.corners, (corner, i) => (i % 3 === 2 ? ~corner : corner));
  return objects.add('Geometry', { name, kind: 'Geometry', type: 'Mesh' }, [
    node('GeometryVersion', [int(124)]),
    node('Vertices', [await packed(lengths(mesh.positions))]),
    node('PolygonVertexIndex', [await packed(corners)]),
    ...(await layers(mesh)),
  ]);
}

async function layers(mesh: MergedMesh): Promise<FbxNode[]> {
  const rows = await packed(new Int32Array(mesh.rows));
  const all: { kind: string; index: number; element: FbxNode }[] = [];
  const layer = (
    kind: string,
    index: number,
    mapping: string,
    reference: string,
    name: string,
    data: FbxNode[],
  ) =>
    all.push({
      kind,
      index,
      element: node(
        kind,
        [int(index)],
        [
          node('Version', [int(kind === 'LayerElementNormal' ? 102 : 101)]),
          node('Name', [text(name)]),
          node('MappingInformationType', [text(mapping)]),
          node('ReferenceInformationType', [text(reference)]),
          ...data,
        ],
      ),
    });
  layer('LayerElementNormal', 0, 'ByVertice', 'Direct', '', [
    node('Normals', [await packed(Float64Array.from(mesh.normals))]),
  ]);
  for (const [index, uvs] of mesh.uvs.entries()) {
    const upwards = Float64Array.from(uvs, (value, i) => (i % 2 === 1 ? Math.fround(1 - value) : value));
    layer('LayerElementUV', index, 'ByPolygonVertex', 'IndexToDirect', uvSetName(index), [
      node('UV', [await packed(upwards)]),
      node('UVIndex', [rows]),
    ]);
  }
  if (mesh.colors) {
    const colors = new Float64Array(mesh.colors.length);
    for (let i = 0; i < colors.length; i += 4)
      colors.set(encoded(mesh.colors.subarray(i, i + 4) as unknown as number[]).map(Math.fround), i);
    layer('LayerElementColor', 0, 'ByPolygonVertex', 'IndexToDirect', 'Color', [
      node('Colors', [await packed(colors)]),
      node('ColorIndex', [rows]),
    ]);
  }
  const isOne = mesh.materials.length === 1;
  layer('LayerElementMaterial', 0, isOne ? 'AllSame' : 'ByPolygon', 'IndexToDirect', '', [
    node('Materials', [await packed(isOne ? new Int32Array(1) : new Int32Array(mesh.slots))]),
  ]);
  const layerNumbers = [...new Set(all.map(({ index }) => index))];
  return [
    ...all.map(({ element }) => element),
    ...layerNumbers.map((number) =>
      node(
        'Layer',
        [int(number)],
        [
          node('Version', [int(100)]),
          ...all
            .filter(({ index }) => index === number)
            .map(({ kind }) =>
              node('LayerElement', [], [node('Type', [text(kind)]), node('TypedIndex', [int(number)])]),
            ),
        ],
      ),
    ),
  ];
}

export const uvSetName = (index: number): string => (index === 0 ? 'UVMap' : `UVMap_${index + 1}`);

/**
 * Adds a mesh's morph targets: one deformer, and a channel with a shape for each target.
 *
 * @param weights - 0..1, the weights of the targets at rest
 * @returns the channels' ids, in the targets' order
 */
export async function addShapes(
  objects: FbxObjects,
  geometry: number,
  { mesh, weights, name }: { mesh: MergedMesh; weights: readonly number[]; name: string },
): Promise<number[]> {
  if (mesh.targets.length === 0) return [];
  const deformer = objects.add('Deformer', { name: `${name} shapes`, kind: 'Deformer', type: 'BlendShape' }, [
    node('Version', [int(100)]),
  ]);
  objects.connect(deformer, geometry);
  const full = await packed(new Float64Array([100]));
  const names = shapeNames(mesh.targets);
  const channels: number[] = [];
  for (const [index, target] of mesh.targets.entries()) {
    const percent = (weights[index] ?? 0) * 100;
    const channel = objects.add(
      'Deformer',
      { name: names[index]!, kind: 'SubDeformer', type: 'BlendShapeChannel' },
      [
        node('Version', [int(100)]),
        node('DeformPercent', [double(percent)]),
        node('FullWeights', [full]),
        properties(property('DeformPercent', 'Number', '', 'A', double(percent))),
      ],
    );
    objects.connect(channel, deformer);
    const shape = objects.add(
      'Geometry',
      { name: names[index]!, kind: 'Geometry', type: 'Shape' },
      await shapeData(target),
    );
    objects.connect(shape, channel);
    channels.push(channel);
  }
  return channels;
}

async function shapeData(target: MorphTarget): Promise<FbxNode[]> {
  // Unity refuses an empty shape and Blender fails on it, so write one point that doesn't move.
  const isEmpty = target.points.length === 0;
  const points = isEmpty ? new Int32Array(1) : new Int32Array(target.points);
  const offsets = isEmpty ? new Float64Array(3) : lengths(target.offsets);
  const normals = isEmpty || !target.normals ? new Float64Array(points.length * 3) : target.normals;
  return [
    node('Version', [int(100)]),
    node('Indexes', [await packed(points)]),
    node('Vertices', [await packed(offsets)]),
    node('Normals', [await packed(Float64Array.from(normals))]),
  ];
}
