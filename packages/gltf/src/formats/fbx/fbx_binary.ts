import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';

/**
 * Writes binary FBX 7.4. The format is Autodesk's and unpublished; this follows the notes of Blender's
 * developers ("FBX binary file format specification", code.blender.org, 2013), little-endian.
 *
 * A node has its end offset, the number and byte length of its properties, its name, the properties and its
 * children. An empty node ends the children.
 */
export interface FbxNode {
  name: string;
  properties: readonly FbxProperty[];
  children: readonly FbxNode[];
}

export interface FbxProperty {
  /** C bool, I int32, L int64, F float, D double, S string, R bytes; small letters are arrays of them. */
  type: 'C' | 'I' | 'L' | 'D' | 'S' | 'R' | 'i' | 'l' | 'f' | 'd';
  /** The bytes after the type letter. */
  bytes: Uint8Array;
}

const scalar = (type: FbxProperty['type'], size: number, write: (view: DataView) => void): FbxProperty => {
  const bytes = new Uint8Array(size);
  write(new DataView(bytes.buffer));
  return { type, bytes };
};
export const bool = (value: boolean): FbxProperty =>
  scalar('C', 1, (view) => view.setUint8(0, value ? 1 : 0));
export const int = (value: number): FbxProperty => scalar('I', 4, (view) => view.setInt32(0, value, true));
export const long = (value: number): FbxProperty =>
  scalar('L', 8, (view) => view.setBigInt64(0, BigInt(value), true));
export const double = (value: number): FbxProperty =>
  scalar('D', 8, (view) => view.setFloat64(0, value, true));
export const text = (value: string): FbxProperty => blob('S', new TextEncoder().encode(value));
export const raw = (value: Uint8Array): FbxProperty => blob('R', value);

/** Joins an object's name and class as the format requires. */
export const named = (name: string, kind: string): FbxProperty => text(`${name}\0\x01${kind}`);

function blob(type: 'S' | 'R', value: Uint8Array): FbxProperty {
  const bytes = new Uint8Array(4 + value.length);
  new DataView(bytes.buffer).setUint32(0, value.length, true);
  bytes.set(value, 4);
  return { type, bytes };
}

const inBackground = promisify(deflate);
const arrayTypes = { Int32Array: 'i', BigInt64Array: 'l', Float32Array: 'f', Float64Array: 'd' } as const;

/** An array, deflated where that makes it smaller. */
export async function packed(
  values: Int32Array | BigInt64Array | Float32Array | Float64Array,
): Promise<FbxProperty> {
  const plain = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  // Level 4 is within a tenth of 9 on such numbers, in a fifth of the time.
  const deflated = plain.length > 128 ? await inBackground(plain, { level: 4 }) : plain;
  const isPacked = deflated.length < plain.length;
  const body = isPacked ? deflated : plain;
  const bytes = new Uint8Array(12 + body.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, values.length, true);
  view.setUint32(4, isPacked ? 1 : 0, true);
  view.setUint32(8, body.length, true);
  bytes.set(body, 12);
  return { type: arrayTypes[values.constructor.name as keyof typeof arrayTypes], bytes };
}

export const node = (
  name: string,
  properties: readonly FbxProperty[] = [],
  children: readonly FbxNode[] = [],
): FbxNode => ({ name, properties, children });

const magic = 'Kaydara FBX Binary  \0\x1a\0';
const version = 7400;
/** An empty node, which ends a list of them. */
const sentinel = 13;
/** Nodes after which readers expect one even though they are empty (Blender's exporter, `encode_bin.py`). */
const alwaysEnded = new Set(['AnimationStack', 'AnimationLayer']);

/**
 * The file's footer. It depends on the `FileId` and `CreationTime` below: the three are checked together.
 */
const footerId = 'fabcab09d0c8d466b176fb831cf7267e';
const footerMagic = 'f85a8c6adef5d97eece90ce3758f290b';
export const fileId = '28b32aebb624ccc2bfc8b02aa92bfcf1';
export const creationTime = '1970-01-01 10:00:00:000';

/** @throws Failure `unsupported` beyond the 4 GiB that 7.4 can count */
export function fbxBytes(nodes: readonly FbxNode[]): Uint8Array {
  const sizes = new Map<FbxNode, number>();
  const body = nodes.reduce((sum, one) => sum + measure(one, sizes), 0);
  const head = magic.length + 4;
  const end = head + body + sentinel;
  const padding = 16 - ((end + 20) % 16);
  const length = end + 20 + padding + 4 + 120 + 16;
  if (length > 0xffff_ffff)
    throw new Failure('unsupported', t('format.fbx_too_much'), {
      hint: t('format.shorter'),
    });
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < magic.length; i++) bytes[i] = magic.charCodeAt(i);
  view.setUint32(magic.length, version, true);
  let at = head;
  for (const one of nodes) at = write(one, at, bytes, view, sizes);
  bytes.set(Buffer.from(footerId, 'hex'), end);
  view.setUint32(end + 20 + padding, version, true);
  bytes.set(Buffer.from(footerMagic, 'hex'), length - 16);
  return bytes;
}

const isEnded = (one: FbxNode): boolean =>
  one.children.length > 0 || one.properties.length === 0 || alwaysEnded.has(one.name);

function measure(one: FbxNode, sizes: Map<FbxNode, number>): number {
  const properties = one.properties.reduce((sum, { bytes }) => sum + 1 + bytes.length, 0);
  const children = one.children.reduce((sum, child) => sum + measure(child, sizes), 0);
  const size = 13 + one.name.length + properties + children + (isEnded(one) ? sentinel : 0);
  sizes.set(one, size);
  return size;
}

function write(
  one: FbxNode,
  start: number,
  bytes: Uint8Array,
  view: DataView,
  sizes: ReadonlyMap<FbxNode, number>,
): number {
  const end = start + sizes.get(one)!;
  view.setUint32(start, end, true);
  view.setUint32(start + 4, one.properties.length, true);
  view.setUint8(start + 12, one.name.length);
  let at = start + 13;
  for (let i = 0; i < one.name.length; i++) bytes[at++] = one.name.charCodeAt(i);
  const properties = at;
  for (const { type, bytes: value } of one.properties) {
    bytes[at++] = type.charCodeAt(0);
    bytes.set(value, at);
    at += value.length;
  }
  view.setUint32(start + 8, at - properties, true);
  for (const child of one.children) at = write(child, at, bytes, view, sizes);
  return end;
}
