import type { Module } from './modules.ts';
import type { Exception, Room } from './rooms.ts';

export interface Rules {
  readonly rooms: readonly Room[];
  readonly reserved: Readonly<Record<string, readonly string[]>>;
  readonly known: readonly Exception[];
}

/** Whether a room (a folder, or a file without its extension) contains a file. */
const contains = (room: string, file: string): boolean =>
  file.startsWith(`${room}/`) || file.replace(/\.\w+$/, '') === room;

/** Folders whose files belong to rooms. Files at the root only configure tools. */
const worlds = /^(main|packages|preload|proto|renderer|scripts|test)\//;

/**
 * Checks every file against the table.
 *
 * @returns one sentence per violation; empty if there are none
 */
export function brokenRules(modules: readonly Module[], rules: Rules): string[] {
  const used = new Set<Exception>();
  const excused = (rule: Exception['rule'], at: string, to?: string): boolean => {
    const found = rules.known.find((each) => each.rule === rule && each.at === at && each.to === to);
    if (found) used.add(found);
    return found !== undefined;
  };
  const ours = modules.filter(({ file }) => worlds.test(file));
  const findings = [
    ...tableFaults(rules.rooms, ours),
    ...ours.flatMap((module) => roomFaults(module, rules, excused)),
    ...circles(ours)
      .filter((files) => !excused('circle', files.join(' ')))
      .map((files) => `circle: ${files.join(' → ')} → ${files[0]}`),
    ...copiedTypes(ours, rules.rooms)
      .filter(({ name }) => !excused('type', name))
      .map(({ text }) => text),
  ];
  const stale = rules.known.filter((each) => !used.has(each));
  return [
    ...findings,
    ...stale.map(
      ({ at, to }) => `stale exception: ${at}${to ? ` → ${to}` : ''} breaks no rule now, delete its row`,
    ),
  ];
}

/** Rows without files, and rows that allow an upward import. */
function tableFaults(rooms: readonly Room[], modules: readonly Module[]): string[] {
  const floor = new Map(rooms.map(({ room }, at) => [room, at]));
  return rooms.flatMap(({ room, may }, at) => [
    ...(modules.some(({ file }) => contains(room, file)) ? [] : [`table: ${room} holds no file`]),
    ...may
      .filter((other) => (floor.get(other) ?? -1) > at)
      .map((other) => `table: ${room} may import ${other}, which stands above it`),
  ]);
}

function roomFaults(
  { file, imports }: Module,
  { rooms, reserved }: Rules,
  excused: (rule: 'room', at: string, to: string) => boolean,
): string[] {
  const at = roomIndex(rooms, file);
  const room = rooms[at];
  if (!room) return [`no room: ${file} lies in no room of the table`];
  return imports.flatMap(({ specifier, file: target }) => {
    if (target === null) return packageFault(file, specifier, room, reserved) ?? [];
    if (!worlds.test(target) || target.startsWith('proto/generated/')) return [];
    const other = roomIndex(rooms, target);
    const allowed = other === at || (other < at && room.may.some((name) => contains(name, target)));
    if (allowed || excused('room', file, target)) return [];
    return `room: ${file} imports ${target}; ${room.room} may import ${room.may.join(', ') || 'nothing of ours'}`;
  });
}

/** The row with the longest match. */
function roomIndex(rooms: readonly Room[], file: string): number {
  let best = -1;
  rooms.forEach(({ room }, at) => {
    if (contains(room, file) && room.length > (rooms[best]?.room.length ?? -1)) best = at;
  });
  return best;
}

function packageFault(
  file: string,
  specifier: string,
  { room, packages }: Room,
  reserved: Rules['reserved'],
): string | null {
  const matches = (name: string): boolean =>
    name === 'node:' ? specifier.startsWith(name) : specifier === name || specifier.startsWith(`${name}/`);
  const [name, owners] = Object.entries(reserved).find(([each]) => matches(each)) ?? [];
  const isTest = /^packages\/[^/]+\/test\//.test(file);
  if (name && owners && !owners.some((owner) => contains(owner, file) || (isTest && owner === 'test')))
    return `package: ${file} imports ${specifier}; only ${owners.join(', ')} may import ${name}`;
  if (packages && !packages.some(matches))
    return `package: ${file} imports ${specifier}; ${room} may import ${packages.join(', ') || 'no package'}`;
  return null;
}

/** Import circles, including types, each with its files sorted: Tarjan's strongly connected components. */
function circles(modules: readonly Module[]): string[][] {
  const byFile = new Map(modules.map((module) => [module.file, module]));
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): number => {
    const number = order.size;
    order.set(file, number);
    lowest.set(file, number);
    open.push(file);
    for (const { file: next } of byFile.get(file)?.imports ?? []) {
      if (next === null || !byFile.has(next)) continue;
      if (!order.has(next)) lowest.set(file, Math.min(lowest.get(file) ?? 0, visit(next)));
      else if (open.includes(next)) lowest.set(file, Math.min(lowest.get(file) ?? 0, order.get(next) ?? 0));
    }
    if (lowest.get(file) === number) {
      const circle = open.splice(open.indexOf(file));
      if (circle.length > 1 || byFile.get(file)?.imports.some((each) => each.file === file))
        found.push(circle.sort());
    }
    return lowest.get(file) ?? number;
  };
  for (const { file } of modules) if (!order.has(file)) visit(file);
  return found.sort();
}

/** Types with the same name or the same members that two rooms of the product export. */
function copiedTypes(modules: readonly Module[], rooms: readonly Room[]): { name: string; text: string }[] {
  const modulesByName = new Map<string, { file: string; room: number; name: string }[]>();
  for (const { file, types } of modules) {
    if (/^(test|scripts|packages\/[^/]+\/(test|training))\//.test(file)) continue;
    for (const { name, members } of types) {
      const module = { file, room: roomIndex(rooms, file), name };
      for (const key of members === null ? [name] : [name, members])
        modulesByName.set(key, [...(modulesByName.get(key) ?? []), module]);
    }
  }
  return [...modulesByName].flatMap(([key, at]) => {
    if (new Set(at.map((each) => each.room)).size < 2) return [];
    const names = [...new Set(at.map((each) => each.name))].sort();
    const where = at.map((each) => each.file).join(' and ');
    const name = names.join(' ');
    // Copies with the same name are reported once, by name.
    if (names.length === 1 && key !== name) return [];
    return {
      name,
      text: `type: ${names.join(' and ')} stands in ${where}: write it once below both, or name them apart`,
    };
  });
}
