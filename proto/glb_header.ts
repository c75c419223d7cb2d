/** How a binary glTF begins (glTF 2.0, 4.4): magic, version and length, then chunks. Little endian. */

/** `glTF` */
const magic = 0x46546c67;
/** `JSON` and `BIN\0`, the kinds of chunks that the format has. */
export const jsonChunk = 0x4e4f534a;
export const binChunk = 0x004e4942;

/**
 * The version of binary glTF that a file begins as, 0 where it ends before it says one.
 *
 * @param head the file's first 8 bytes, or more
 * @returns null where it is no binary glTF
 */
export function glbVersion(head: Uint8Array): number | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.byteLength < 4 || view.getUint32(0, true) !== magic) return null;
  return head.byteLength < 8 ? 0 : view.getUint32(4, true);
}
