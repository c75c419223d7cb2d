import type { z } from 'zod';
import { readFileIfThere } from './atomic_file.ts';

/**
 * The value in a small JSON file; null if there is no file or it is invalid. @throws Failure `storage`
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
