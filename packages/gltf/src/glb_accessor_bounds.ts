import { type KeyedMessage, t } from '@likeness/messages';
import { index, type Json, list, numbered, objectIn, whole } from './glb_fields.ts';
import { atMost, Fault, glbLimits } from './glb_limits.ts';

const componentBytes: Record<number, number> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };

const components: Record<string, number> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
};

const packings = ['EXT_meshopt_compression', 'KHR_meshopt_compression'];

interface View {
  /** Bytes when it is unpacked. */
  bytes: number;
  stride: number | null;
}

/** @returns the buffer views, by their number */
export function viewsOf(gltf: Json, binaryBytes: number): View[] {
  const buffers = list(gltf, 'buffers').map((buffer, number) => {
    const bytes = whole(buffer, 'byteLength', numbered('glb_part.buffer', number));
    const { uri } = buffer;
    // The fallback buffer of a compressed view has a length but no data.
    const fallsBack = packings.some((name) => objectIn(objectIn(buffer, 'extensions') ?? {}, name));
    if (uri !== undefined) {
      if (typeof uri !== 'string' || !uri.startsWith('data:')) throw new Fault(t('glb_fault.data_elsewhere'));
      if (bytes > uri.length) throw new Fault(t('glb_fault.buffer_short', { number }));
    } else if (number === 0 && !fallsBack && bytes > binaryBytes) {
      throw new Fault(t('glb_fault.data_short', { said: bytes, size: binaryBytes }));
    }
    return { bytes, isThere: uri !== undefined || (number === 0 && !fallsBack) };
  });
  const within = (region: Json, where: KeyedMessage, needsData: boolean): number => {
    const number = index(region.buffer ?? null, buffers.length, 'glb_part.buffer')!;
    const length = whole(region, 'byteLength', where);
    const buffer = buffers[number]!;
    if (whole(region, 'byteOffset', where, 0) + length > buffer.bytes)
      throw new Fault(t('glb_fault.after_buffer', { where }));
    if (needsData && !buffer.isThere) throw new Fault(t('glb_fault.no_data', { where }));
    return length;
  };
  let unpacked = 0;
  return list(gltf, 'bufferViews').map((view, number) => {
    const where = numbered('glb_part.buffer_view', number);
    const extensions = objectIn(view, 'extensions') ?? {};
    const packing = packings.map((name) => objectIn(extensions, name)).find((found) => found !== null);
    const bytes = within(view, where, !packing);
    const stride = view.byteStride === undefined ? null : whole(view, 'byteStride', where);
    if (stride !== null && (stride < 1 || stride > 252))
      throw new Fault(t('glb_fault.stride', { where, bytes: stride }));
    if (!packing) return { bytes, stride };
    const packedView = t('glb_part.packed', { where });
    within(packing, packedView, true);
    const step = whole(packing, 'byteStride', packedView);
    const packed = whole(packing, 'count', packedView) * step;
    if (step < 1 || step > 256) throw new Fault(t('glb_fault.stride', { where: packedView, bytes: step }));
    unpacked += packed;
    atMost(unpacked, glbLimits.expandedBytes, 'packed_bytes');
    if (packed !== bytes) throw new Fault(t('glb_fault.packed_size', { where, bytes, packed }));
    return { bytes, stride };
  });
}

/** @returns how many elements each accessor has */
export function countsOf(gltf: Json, views: readonly View[]): number[] {
  let expanded = 0;
  let empty = 0;
  const reach = (region: Json, bytes: number, where: KeyedMessage, step?: number, count = 1): void => {
    const view = views[index(region.bufferView ?? null, views.length, 'glb_part.buffer_view')!]!;
    const offset = whole(region, 'byteOffset', where, 0);
    const used = step === undefined || count === 0 ? bytes : (count - 1) * step + bytes / count;
    if (offset + used > view.bytes) throw new Fault(t('glb_fault.over_view', { where }));
  };
  return list(gltf, 'accessors').map((accessor, number) => {
    const where = numbered('glb_part.accessor', number);
    const count = whole(accessor, 'count', where);
    const component = componentBytes[Number(accessor.componentType)];
    const width = components[String(accessor.type)];
    if (component === undefined || width === undefined)
      throw new Fault(t('glb_fault.unknown_kind', { where }));
    const bytes = count * component * width;
    expanded += bytes;
    atMost(expanded, glbLimits.expandedBytes, 'vertex_bytes');
    if (accessor.bufferView === undefined) {
      empty += bytes;
      atMost(empty, glbLimits.emptyBytes, 'empty_bytes');
    } else {
      const view = views[index(accessor.bufferView, views.length, 'glb_part.buffer_view')!]!;
      // Columns of small matrices are padded; they are rare, so the padding is ignored.
      reach(accessor, bytes, where, view.stride ?? undefined, count);
    }
    const sparse = objectIn(accessor, 'sparse');
    if (accessor.sparse !== undefined && !sparse) throw new Fault(t('glb_fault.sparse_is_none', { where }));
    if (!sparse) return count;
    const sparseOne = t('glb_part.sparse', { where });
    const given = whole(sparse, 'count', sparseOne);
    const indices = objectIn(sparse, 'indices');
    const values = objectIn(sparse, 'values');
    if (!indices || !values || given > count)
      throw new Fault(t('glb_fault.sparse_incomplete', { where: sparseOne }));
    const indexBytes = componentBytes[Number(indices.componentType)];
    if (indexBytes === undefined) throw new Fault(t('glb_fault.unknown_kind', { where: sparseOne }));
    reach(indices, given * indexBytes, sparseOne);
    reach(values, given * component * width, sparseOne);
    return count;
  });
}
