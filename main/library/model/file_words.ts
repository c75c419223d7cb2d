import type { FileHandle } from 'node:fs/promises';
import { glbVersion, jsonChunk } from '#proto/glb_header.ts';
import { glbLimits } from '../../gltf/glb_limits.ts';

/** A scene, as far as the engine says something of its head in it. */
interface Said {
  scene?: unknown;
  scenes?: { extras?: { engine?: unknown; glasses?: unknown } }[];
}

/** What a head's file says of itself. */
export interface FileWords {
  /** Which engine made it; empty where it doesn't say. */
  readonly engine: string;
  /** Whether its photo shows glasses; null where it doesn't say. */
  readonly glasses: boolean | null;
}

const nothing: FileWords = { engine: '', glasses: null };

/** What a head's file says of itself. The file is closed afterwards. Only its JSON is read. */
export async function wordsOfFile(opened: Promise<FileHandle>): Promise<FileWords> {
  const file = await opened.catch(() => null);
  if (!file) return nothing;
  try {
    const head = Buffer.alloc(20);
    const { bytesRead } = await file.read(head, 0, 20, 0);
    if (bytesRead < 20 || glbVersion(head) !== 2 || head.readUInt32LE(16) !== jsonChunk) return nothing;
    const length = head.readUInt32LE(12);
    if (length > glbLimits.jsonBytes) return nothing;
    const json = Buffer.alloc(length);
    if ((await file.read(json, 0, length, 20)).bytesRead < length) return nothing;
    const { scene, scenes } = JSON.parse(json.toString('utf8')) as Said;
    const { engine, glasses } = scenes?.[typeof scene === 'number' ? scene : 0]?.extras ?? {};
    return {
      engine: typeof engine === 'string' ? engine.slice(0, 60) : '',
      glasses: typeof glasses === 'string' ? glasses !== 'none' : null,
    };
  } catch {
    return nothing;
  } finally {
    await file.close();
  }
}
