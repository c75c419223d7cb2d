import { type Key, type KeyedMessage, t } from '@likeness/messages';
import { atMost, Fault, glbLimits } from './glb_limits.ts';

export type Json = Record<string, unknown>;

/** The keys for parts of a file. */
type PartKey = Exclude<
  Extract<Key, `glb_part.${string}`>,
  'glb_part.numbered' | 'glb_part.packed' | 'glb_part.sparse'
>;

/** Such as “accessor 5”. */
export const numbered = (what: PartKey, number: number): KeyedMessage =>
  t('glb_part.numbered', { what: t(what), number });

/** A list of objects in the file; empty where there is none. */
export function list(of: Json, name: string, max: number = glbLimits.entries): Json[] {
  const value = of[name];
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Fault(t('glb_fault.no_list', { name }));
  atMost(value.length, max, 'entries', name);
  for (const one of value) {
    if (typeof one !== 'object' || one === null || Array.isArray(one))
      throw new Fault(t('glb_fault.no_object', { name }));
  }
  return value as Json[];
}

export const objectIn = (of: Json, name: string): Json | null => {
  const value = of[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
};

/** A whole number from 0 on. */
export function whole(of: Json, name: string, where: KeyedMessage, otherwise?: number): number {
  const value = of[name] ?? otherwise;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new Fault(t('glb_fault.not_whole', { where, name, value: shown(value) }));
  return value;
}

const shown = (value: unknown): string => String(JSON.stringify(value) ?? value).slice(0, 40);

/** An index into a list of so many; null where it is not given. */
export function index(value: unknown, length: number, what: PartKey): number | null {
  if (value === undefined) return null;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value >= length)
    throw new Fault(t('glb_fault.names_none', { what: t(what), value: shown(value) }));
  return value;
}

export function indices(value: unknown, length: number, what: PartKey): number[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Fault(t('glb_fault.no_list_of', { what: t(what) }));
  return value.map((one) => index(one ?? null, length, what)!);
}
