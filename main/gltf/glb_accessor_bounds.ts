import { index, type Json, list, objectIn, whole } from './glb_fields.ts';
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
    const bytes = whole(buffer, 'byteLength', `buffer ${number}`);
    const { uri } = buffer;
    // One that a packed view falls back on is empty, and is there by its length only.
    const fallsBack = packings.some((name) => objectIn(objectIn(buffer, 'extensions') ?? {}, name));
    if (uri !== undefined) {
      if (typeof uri !== 'string' || !uri.startsWith('data:'))
        throw new Fault('keeps its data in other files; all of it must be inside');
      if (bytes > uri.length) throw new Fault(`has buffer ${number} with less in it than it says`);
    } else if (number === 0 && !fallsBack && bytes > binaryBytes) {
      throw new Fault(`says that its data has ${bytes} bytes and has ${binaryBytes}`);
    }
    return { bytes, isThere: uri !== undefined || (number === 0 && !fallsBack) };
  });
  const within = (region: Json, where: string, needsData: boolean): number => {
    const number = index(region.buffer ?? null, buffers.length, 'buffer')!;
    const length = whole(region, 'byteLength', where);
    const buffer = buffers[number]!;
    if (whole(region, 'byteOffset', where, 0) + length > buffer.bytes)
      throw new Fault(`has ${where} that ends after its buffer`);
    if (needsData && !buffer.isThere) throw new Fault(`has ${where} in a buffer that has no data`);
    return length;
  };
  let unpacked = 0;
  return list(gltf, 'bufferViews').map((view, number) => {
    const where = `buffer view ${number}`;
    const extensions = objectIn(view, 'extensions') ?? {};
    const packing = packings.map((name) => objectIn(extensions, name)).find((found) => found !== null);
    const bytes = within(view, where, !packing);
    const stride = view.byteStride === undefined ? null : whole(view, 'byteStride', where);
    if (stride !== null && (stride < 1 || stride > 252))
      throw new Fault(`has ${where} with a stride of ${stride} bytes`);
    if (!packing) return { bytes, stride };
    within(packing, `the packed ${where}`, true);
    const step = whole(packing, 'byteStride', `the packed ${where}`);
    const packed = whole(packing, 'count', `the packed ${where}`) * step;
    if (step < 1 || step > 256) throw new Fault(`has the packed ${where} with a stride of ${step} bytes`);
    unpacked += packed;
    atMost(unpacked, glbLimits.expandedBytes, 'bytes of packed data');
    if (packed !== bytes) throw new Fault(`has ${where} of ${bytes} bytes, which is packed as ${packed}`);
    return { bytes, stride };
  });
}

/** @returns how many elements each accessor has */
export function countsOf(gltf: Json, views: readonly View[]): number[] {
  let expanded = 0;
  let empty = 0;
  const reach = (region: Json, bytes: number, where: string, step?: number, count = 1): void => {
    const view = views[index(region.bufferView ?? null, views.length, 'buffer view')!]!;
    const offset = whole(region, 'byteOffset', where, 0);
    const used = step === undefined || count === 0 ? bytes : (count - 1) * step + bytes / count;
    if (offset + used > view.bytes)
      throw new Fault(`has ${where} with more in it than its buffer view holds`);
  };
  return list(gltf, 'accessors').map((accessor, number) => {
    const where = `accessor ${number}`;
    const count = whole(accessor, 'count', where);
    const component = componentBytes[Number(accessor.componentType)];
    const width = components[String(accessor.type)];
    if (component === undefined || width === undefined)
      throw new Fault(`has ${where} of a kind that glTF does not know`);
    const bytes = count * component * width;
    expanded += bytes;
    atMost(expanded, glbLimits.expandedBytes, 'bytes of vertex data when it is unpacked');
    if (accessor.bufferView === undefined) {
      empty += bytes;
      atMost(empty, glbLimits.emptyBytes, 'bytes of vertex data that it does not hold');
    } else {
      const view = views[index(accessor.bufferView, views.length, 'buffer view')!]!;
      // Columns of small matrices are padded; they are rare, and read as if they were not.
      reach(accessor, bytes, where, view.stride ?? undefined, count);
    }
    const sparse = objectIn(accessor, 'sparse');
    if (accessor.sparse !== undefined && !sparse)
      throw new Fault(`has ${where} with a “sparse” that is none`);
    if (!sparse) return count;
    const given = whole(sparse, 'count', `the sparse ${where}`);
    const places = objectIn(sparse, 'indices');
    const values = objectIn(sparse, 'values');
    if (!places || !values || given > count) throw new Fault(`has the sparse ${where} without what it needs`);
    const placeBytes = componentBytes[Number(places.componentType)];
    if (placeBytes === undefined)
      throw new Fault(`has the sparse ${where} of a kind that glTF does not know`);
    reach(places, given * placeBytes, `the sparse ${where}`);
    reach(values, given * component * width, `the sparse ${where}`);
    return count;
  });
}
