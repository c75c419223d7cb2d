/** HEIF files taken apart and put together: tests need kinds that cameras write and no encoder at hand does. */

/** An image or metadata of a HEIF file. */
export interface HeifItem {
  /** Such as `hvc1`, `grid`, `Exif`. */
  readonly type: string;
  readonly data: Buffer;
  /** Whole boxes. */
  readonly properties: readonly Buffer[];
  /** Part of another image. */
  readonly isHidden?: boolean;
}

/** Says what an item is to others: `dimg` for a grid's tiles, `cdsc` for metadata of an image. */
interface HeifReference {
  readonly type: string;
  /** Places in the list of items, from 1 on. */
  readonly from: number;
  readonly to: readonly number[];
}

interface HeifFile {
  /** Default: `heic`. */
  readonly brands?: readonly [string, ...string[]];
  readonly items: readonly HeifItem[];
  readonly references?: readonly HeifReference[];
  /** The image that is shown, from 1 on; default: 1. */
  readonly primary?: number;
}

const u8 = (...values: readonly number[]): Buffer => Buffer.from(values);
const u16 = (value: number): Buffer => u8(value >> 8, value & 255);
function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function heifBox(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(8 + body.length), Buffer.from(type, 'latin1'), body]);
}

const fullBox = (type: string, version: number, flags: number, ...parts: readonly Buffer[]): Buffer =>
  heifBox(type, u8(version, 0, 0, flags), ...parts);

/** An image's size in pixels. */
const heifSize = (width: number, height: number): Buffer => fullBox('ispe', 0, 0, u32(width), u32(height));

/** An image of rows of tiles. */
export const heifGrid = (rows: number, columns: number, width: number, height: number): HeifItem => ({
  type: 'grid',
  data: Buffer.concat([u8(0, 0, rows - 1, columns - 1), u16(width), u16(height)]),
  properties: [heifSize(width, height)],
});

/** EXIF with an orientation, 1 to 8. */
export const heifExif = (orientation: number): HeifItem => ({
  type: 'Exif',
  data: Buffer.concat([
    u32(6),
    Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01', 'latin1'),
    u16(orientation),
    Buffer.alloc(6),
  ]),
  properties: [],
});

/** A reader that doesn't know one of these has to refuse the image. */
const isEssential = (property: Buffer): boolean =>
  /hvcC|av1C|irot|imir|clap/.test(property.toString('latin1', 4, 8));

/** Puts items together. A grid's rows and columns lie in the head, as phones write them, all else behind it. */
export function heifFile({ brands = ['heic'], items, references = [], primary = 1 }: HeifFile): Buffer {
  const properties = items.flatMap((item) => item.properties);
  const associations = items.map((item, at) => {
    const before = items.slice(0, at).flatMap((one) => one.properties).length;
    return Buffer.concat([
      u16(at + 1),
      u8(item.properties.length),
      u8(...item.properties.map((one, place) => (isEssential(one) ? 128 : 0) + before + place + 1)),
    ]);
  });
  const inHead = items.filter(({ type }) => type === 'grid');
  const behind = items.filter(({ type }) => type !== 'grid');
  const headWith = (mediaFrom: number): Buffer => {
    const offsets = new Map<HeifItem, number>();
    let inHeadAt = 0;
    for (const item of inHead) {
      offsets.set(item, inHeadAt);
      inHeadAt += item.data.length;
    }
    let behindAt = mediaFrom;
    for (const item of behind) {
      offsets.set(item, behindAt);
      behindAt += item.data.length;
    }
    const places = items.map((item, at) =>
      Buffer.concat([
        u16(at + 1),
        u16(item.type === 'grid' ? 1 : 0),
        u16(0),
        u16(1),
        u32(offsets.get(item)!),
        u32(item.data.length),
      ]),
    );
    const infos = items.map((item, at) =>
      fullBox('infe', 2, item.isHidden ? 1 : 0, u16(at + 1), u16(0), Buffer.from(`${item.type}\0`, 'latin1')),
    );
    const links = references.map(({ type, from, to }) =>
      heifBox(type, u16(from), u16(to.length), ...to.map(u16)),
    );
    return Buffer.concat([
      heifBox('ftyp', Buffer.from(brands[0]), u32(0), Buffer.from(`mif1${brands.join('')}`)),
      fullBox(
        'meta',
        0,
        0,
        fullBox('hdlr', 0, 0, u32(0), Buffer.from('pict'), Buffer.alloc(13)),
        fullBox('pitm', 0, 0, u16(primary)),
        fullBox('iloc', 1, 0, u8(0x44, 0), u16(items.length), ...places),
        fullBox('iinf', 0, 0, u16(items.length), ...infos),
        ...(links.length > 0 ? [fullBox('iref', 0, 0, ...links)] : []),
        heifBox(
          'iprp',
          heifBox('ipco', ...properties),
          fullBox('ipma', 0, 0, u32(items.length), ...associations),
        ),
        heifBox('idat', ...inHead.map(({ data }) => data)),
      ),
    ]);
  };
  const head = headWith(headWith(0).length + 8);
  return Buffer.concat([head, heifBox('mdat', ...behind.map(({ data }) => data))]);
}

interface Box {
  readonly type: string;
  readonly body: Buffer;
  readonly whole: Buffer;
}

function boxesIn(bytes: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const whole = bytes.subarray(at, at + length);
    boxes.push({ type: whole.toString('latin1', 4, 8), body: whole.subarray(8), whole });
    at += length;
  }
  return boxes;
}

const bodyOf = (boxes: readonly Box[], type: string): Buffer => {
  const found = boxes.find((box) => box.type === type);
  if (!found) throw new Error(`There is no box “${type}”.`);
  return found.body;
};

/** The items of a file that libheif's encoder wrote. */
export function heifItems(file: Buffer): HeifItem[] {
  const meta = boxesIn(bodyOf(boxesIn(file), 'meta').subarray(4));
  const iprp = boxesIn(bodyOf(meta, 'iprp'));
  const properties = boxesIn(bodyOf(iprp, 'ipco')).map(({ whole }) => whole);
  const associated = associationsIn(bodyOf(iprp, 'ipma'));
  const places = placesIn(bodyOf(meta, 'iloc'));
  return boxesIn(bodyOf(meta, 'iinf').subarray(6)).map(({ body }) => {
    const id = body.readUInt16BE(4);
    const { from = 0, length = 0 } = places.get(id) ?? {};
    return {
      type: body.toString('latin1', 8, 12),
      data: file.subarray(from, from + length),
      properties: (associated.get(id) ?? []).map((place) => properties[place - 1]!),
    };
  });
}

function associationsIn(ipma: Buffer): Map<number, number[]> {
  const found = new Map<number, number[]>();
  let at = 8;
  for (let left = ipma.readUInt32BE(4); left > 0; left -= 1) {
    const id = ipma.readUInt16BE(at);
    const count = ipma[at + 2]!;
    at += 3;
    // The first bit says that a reader must know the property.
    found.set(
      id,
      [...ipma.subarray(at, at + count)].map((byte) => byte & 127),
    );
    at += count;
  }
  return found;
}

function placesIn(iloc: Buffer): Map<number, { from: number; length: number }> {
  const [version = 0] = iloc;
  const [offsetBytes, lengthBytes, baseBytes] = [iloc[4]! >> 4, iloc[4]! & 15, iloc[5]! >> 4];
  let at = 6;
  const next = (bytes: number): number => {
    at += bytes;
    return bytes === 0 ? 0 : iloc.readUIntBE(at - bytes, Math.min(bytes, 6));
  };
  const found = new Map<number, { from: number; length: number }>();
  for (let left = next(2); left > 0; left -= 1) {
    const id = next(2);
    next(version > 0 ? 4 : 2);
    const base = next(baseBytes);
    next(2);
    found.set(id, { from: base + next(offsetBytes), length: next(lengthBytes) });
  }
  return found;
}
