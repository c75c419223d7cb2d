/**
 * The photos a person has gathered, with what they said about each, and the way back. It outlives the page's own
 * comings and goings, so that looking into Settings loses nothing.
 */
import { useSyncExternalStore } from 'react';

export type Sex = 'female' | 'male';
export type Eyelid = 'single' | 'double';

export interface Photo {
  id: string;
  name: string;
  /** Address of the file's bytes in this window. */
  url: string;
  sex: Sex | undefined;
  eyelid: Eyelid | undefined;
}

export interface Tray {
  photos: readonly Photo[];
  selected: ReadonlySet<string>;
  /** Where Shift selects from, and arrows move from. */
  cursor: string | undefined;
}

let tray: Tray = { photos: [], selected: new Set(), cursor: undefined };
let past: readonly Tray[] = [];
const watchers = new Set<() => void>();
const undoDepth = 100;

function become(next: Tray): void {
  tray = next;
  for (const watcher of watchers) watcher();
}
/** A change that can be taken back. */
function change(photos: readonly Photo[]): void {
  past = [...past.slice(1 - undoDepth), tray];
  const left = new Set(photos.map(({ id }) => id));
  const selected = new Set([...tray.selected].filter((id) => left.has(id)));
  become({ photos, selected, cursor: tray.cursor && left.has(tray.cursor) ? tray.cursor : undefined });
}

export const useTray = (): Tray =>
  useSyncExternalStore(
    (changed) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    () => tray,
  );

const photoName = /\.(jpe?g|png|webp|avif|tiff?|hei[cf])$/i;
/** The same file chosen twice: told by its place, size and time, since the page never learns a path. */
const identity = (file: File): string =>
  [file.webkitRelativePath || file.name, file.size, file.lastModified].join('|');
const known = new Map<string, string>();

/** Adds photos; answers with what was left out and why. */
export function addFiles(files: readonly File[]): { rejected: string[]; repeated: number } {
  const rejected: string[] = [];
  let repeated = 0;
  const here = new Set(tray.photos.map(({ id }) => id));
  const added: Photo[] = [];
  for (const file of files) {
    if (file.name.startsWith('.')) continue; // a sidecar of the system's
    if (!file.type.startsWith('image/') && !photoName.test(file.name)) {
      rejected.push(file.name);
      continue;
    }
    const key = identity(file);
    const id = known.get(key) ?? crypto.randomUUID();
    if (here.has(id)) {
      repeated += 1;
      continue;
    }
    known.set(key, id);
    here.add(id);
    added.push({ id, name: file.name, url: URL.createObjectURL(file), sex: undefined, eyelid: undefined });
  }
  if (added.length > 0) {
    change([...tray.photos, ...added]);
    if (tray.selected.size === 0) select(added[0]!.id, 'only');
  }
  return { rejected, repeated };
}

/** What was said about a photo, for all that are selected. */
export function tag(tags: { sex: Sex } | { eyelid: Eyelid | undefined }): void {
  if (tray.selected.size === 0) return;
  change(tray.photos.map((photo) => (tray.selected.has(photo.id) ? { ...photo, ...tags } : photo)));
}

/** Removes the selected photos and selects the next one; answers with how many went. */
export function removeSelected(): number {
  const count = tray.selected.size;
  const first = tray.photos.findIndex(({ id }) => tray.selected.has(id));
  if (count === 0) return 0;
  change(tray.photos.filter(({ id }) => !tray.selected.has(id)));
  const next = tray.photos[Math.min(first, tray.photos.length - 1)];
  if (next) select(next.id, 'only');
  return count;
}

export function removeAll(): number {
  const count = tray.photos.length;
  if (count > 0) change([]);
  return count;
}

export function undo(): boolean {
  const last = past.at(-1);
  if (!last) return false;
  past = past.slice(0, -1);
  become(last);
  return true;
}

/** `only` replaces the selection, `toggle` adds or takes away, `range` reaches from the cursor. */
export function select(id: string, how: 'only' | 'toggle' | 'range'): void {
  const selected = new Set(how === 'toggle' ? tray.selected : [id]);
  if (how === 'toggle') {
    if (!selected.delete(id)) selected.add(id);
  } else if (how === 'range') {
    const ids = tray.photos.map((photo) => photo.id);
    const from = Math.max(0, ids.indexOf(tray.cursor ?? id));
    const to = ids.indexOf(id);
    for (const one of ids.slice(Math.min(from, to), Math.max(from, to) + 1)) selected.add(one);
    become({ ...tray, selected });
    return;
  }
  become({ ...tray, selected, cursor: id });
}

export const selectAll = (): void => become({ ...tray, selected: new Set(tray.photos.map(({ id }) => id)) });

/** Moves the selection by so many photos. */
export function move(by: number): void {
  const at = tray.photos.findIndex(({ id }) => id === tray.cursor);
  const next = tray.photos[Math.min(tray.photos.length - 1, Math.max(0, at + by))];
  if (next) select(next.id, 'only');
}
