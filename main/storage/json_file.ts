import type { z } from 'zod';
import { readFileIfThere } from './atomic_file.ts';

/**
 * What a small file of JSON says; null where there is none, or it makes no sense. @throws Failure `storage`
 */
export async function readJsonFile<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): Promise<z.output<Schema> | null> {
  const bytes = await readFileIfThere(path);
  if (!bytes) return null;
  try {
    return schema.safeParse(JSON.parse(bytes.toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
}
