import { glbLimits } from '@likeness/gltf/glb_limits.ts';
import { glbVersion, jsonChunk } from '@likeness/proto/glb_header.ts';
import { type UncertainPart, uncertainParts } from '@likeness/proto/heads/photo_findings.ts';

/** A glTF scene with the engine's metadata. */
interface SceneMetadata {
  scene?: unknown;
  scenes?: { extras?: { engine?: unknown; glasses?: unknown; uncertain?: unknown } }[];
}

/** The metadata in a head's file. */
export interface FileMetadata {
  /** The engine that made it; empty if unknown. */
  readonly engine: string;
  /** Whether its photo shows glasses; null if unknown. */
  readonly glasses: boolean | null;
  /** Parts of the head that the engine is unsure of. */
  readonly uncertain: UncertainPart[];
}

export const noMetadata: FileMetadata = { engine: '', glasses: null, uncertain: [] };

/** Bytes to read first: the header, and the JSON of a head without many parts. */
const firstBytes = 16 * 1024;

/**
 * Reads a head's metadata from its file's JSON.
 *
 * @param read - Returns the given number of bytes from the file's start; fewer if it is shorter.
 */
export async function readFileMetadata(read: (length: number) => Promise<Buffer>): Promise<FileMetadata> {
  try {
    const first = await read(firstBytes);
    if (first.length < 20 || glbVersion(first) !== 2 || first.readUInt32LE(16) !== jsonChunk)
      return noMetadata;
    const end = 20 + first.readUInt32LE(12);
    if (end > glbLimits.jsonBytes) return noMetadata;
    const whole = end <= first.length ? first : await read(end);
    if (whole.length < end) return noMetadata;
    const { scene, scenes } = JSON.parse(whole.toString('utf8', 20, end)) as SceneMetadata;
    const { engine, glasses, uncertain } = scenes?.[typeof scene === 'number' ? scene : 0]?.extras ?? {};
    return {
      engine: typeof engine === 'string' ? engine.slice(0, 60) : '',
      glasses: typeof glasses === 'string' ? glasses !== 'none' : null,
      uncertain: Array.isArray(uncertain) ? uncertainParts.filter((part) => uncertain.includes(part)) : [],
    };
  } catch {
    return noMetadata;
  }
}
