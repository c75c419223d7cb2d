import { atMost, Fault, glbLimits } from './glb_limits.ts';

export type Json = Record<string, unknown>;

/** A list of objects in the file; empty where there is none. */
export function list(of: Json, name: string, most: number = glbLimits.entries): Json[] {
  const value = of[name];
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Fault(`has “${name}” that is no list`);
  atMost(value.length, most, name);
  for (const one of value) {
    if (typeof one !== 'object' || one === null || Array.isArray(one))
      throw new Fault(`has something in “${name}” that is no object`);
  }
  return value as Json[];
}

export const objectIn = (of: Json, name: string): Json | null => {
  const value = of[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
};

/** A whole number from 0 on. */
export function whole(of: Json, name: string, where: string, otherwise?: number): number {
  const value = of[name] ?? otherwise;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new Fault(`has ${where} whose ${name} is ${shown(value)}, not a whole number from 0 on`);
  return value;
}

const shown = (value: unknown): string => String(JSON.stringify(value) ?? value).slice(0, 40);

/** An index into a list of so many; null where it is not given. */
export function index(value: unknown, length: number, what: string): number | null {
  if (value === undefined) return null;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value >= length)
    throw new Fault(`names ${what} ${shown(value)}, which it does not have`);
  return value;
}

export function indices(value: unknown, length: number, what: string): number[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Fault(`has a list of ${what}s that is none`);
  return value.map((one) => index(one ?? null, length, what)!);
}
