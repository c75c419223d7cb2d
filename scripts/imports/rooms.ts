/**
 * The rooms of the house and what each may import, lowest floor first: a room imports only what stands above
 * it in this table, so that no arrow runs up. `npm run check` reads it; `ARCHITECTURE.md` tells the reasons.
 *
 * A room is a folder with all below it, or a file named without its ending; the longest match holds. Whoever
 * adds a folder that no row covers adds a row.
 */
export interface Room {
  readonly room: string;
  /** Rooms that it may import besides itself; a room also stands for the rooms inside it. */
  readonly may: readonly string[];
  /** Packages that it may import; `node:` is all that Node brings. Absent: any that is not reserved. */
  readonly packages?: readonly string[];
}

const words = ['proto', 'sentences'];
const border = [...words, 'preload/contract'];
/** What every room of main may stand on. */
const ground = [...border, 'main/failure', 'main/base', 'main/threads', 'main/storage'];

/** A pile of rooms: each may import those before it, and what all of them stand on. */
const pile = (rooms: readonly string[], on: readonly string[], packages?: readonly string[]): Room[] =>
  rooms.map((room, at) => ({ room, may: [...on, ...rooms.slice(0, at)], ...(packages && { packages }) }));

const page = ['preload/contract', ...words];
const pageGround = [...page, 'renderer/base', 'renderer/ui', 'renderer/viewer', 'renderer/speaking'];
const pagePackages = [
  '@fontsource-variable',
  '@mantine',
  '@react-three',
  '@tabler',
  '@tanstack',
  'i18next',
  'mediabunny',
  'meshoptimizer',
  'react',
  'react-dom',
  'react-i18next',
  'three',
  'zod',
];

/** A place of the page: one entry of its navigation. */
const place = (room: string, ...others: string[]): Room => ({
  room,
  may: [...pageGround, ...others],
  packages: pagePackages,
});

export const rooms: readonly Room[] = [
  // What runs in every world: nothing of Node, of the page or of Electron.
  { room: 'sentences', may: [], packages: [] },
  { room: 'proto', may: ['sentences'], packages: ['protobufjs', 'zod'] },
  { room: 'preload/contract', may: words, packages: ['zod'] },
  { room: 'preload', may: ['preload/contract', ...words], packages: ['electron', 'zod'] },

  // main's ground floor.
  { room: 'main/failure', may: border },
  { room: 'main/base', may: [...border, 'main/failure'] },
  { room: 'main/threads', may: [...border, 'main/failure'] },
  { room: 'main/storage', may: [...border, 'main/failure', 'main/base'] },
  { room: 'main/gltf', may: ground },

  // The engine could be lifted out and run on a server: no contract, no failure, no storage.
  ...pile(
    [
      'main/engine/portrait/math',
      'main/engine/portrait/contract',
      'main/engine/portrait/photo',
      'main/engine/portrait/topology',
      'main/engine/portrait/landmarks',
      'main/engine/portrait/fit',
      'main/engine/portrait/texture',
      'main/engine/portrait/glasses',
      'main/engine/portrait/matte',
      'main/engine/portrait/skull',
      'main/engine/portrait/hair',
      'main/engine/portrait/expressions',
      'main/engine/portrait/parts',
      'main/engine/portrait/appearance',
      'main/engine/portrait/assembly',
      'main/engine/portrait/choices',
      'main/engine/portrait/gltf',
      'main/engine/portrait/render',
      'main/engine/portrait/preflight',
      'main/engine/portrait/several',
      'main/engine/portrait/default_head',
      'main/engine/portrait',
    ],
    [...words, 'main/base', 'main/threads', 'main/gltf'],
  ),
  { room: 'main/engine/speech', may: words },
  {
    room: 'main/engine',
    may: [...words, 'main/base', 'main/threads', 'main/gltf', 'main/engine/portrait', 'main/engine/speech'],
  },

  // The rooms. None imports another, save what is said here: studio.ts hands each what it needs.
  { room: 'main/ipc', may: ground },
  { room: 'main/shell', may: [...ground, 'main/ipc'] },
  { room: 'main/shell/none', may: [...ground, 'main/shell'] },
  { room: 'main/shell/browser', may: [...ground, 'main/ipc', 'main/shell'] },
  { room: 'main/connections', may: ground },
  {
    room: 'main/shell/electron',
    may: [...ground, 'main/ipc', 'main/shell', 'main/connections/vault/secret_file'],
  },
  { room: 'main/engine_host', may: [...ground, 'main/engine', 'main/shell'] },
  { room: 'main/upstream', may: ground },
  { room: 'main/journal', may: ground },
  { room: 'main/intake', may: ground },
  // The engine on a server, metered and audited by the same journal as the studio's own calls.
  { room: 'main/live', may: ground },
  { room: 'main/batch', may: ground },
  ...pile(
    ['main/service/store', 'main/service/queue', 'main/service/worker', 'main/service/live'],
    ['main/base', 'main/engine', ...words],
  ),
  {
    room: 'main/service',
    may: [
      ...ground,
      'main/engine',
      'main/journal',
      'main/service/store',
      'main/service/queue',
      'main/service/live',
    ],
  },
  { room: 'main/blender', may: [...ground, 'main/shell'] },
  { room: 'main/formats', may: [...ground, 'main/gltf'] },
  { room: 'main/library', may: [...ground, 'main/gltf', 'main/formats', 'main/blender'] },
  { room: 'main/takes', may: [...ground, 'main/formats'] },
  { room: 'main/send', may: [...ground, 'main/formats'] },
  { room: 'main/settings', may: [...ground, 'main/connections'] },

  // What puts rooms together, and the entries.
  { room: 'main/updates', may: [...ground, 'main/shell'] },
  { room: 'main/library_thread', may: [...ground, 'main/gltf', 'main/engine', 'main/library'] },
  { room: 'main/library_threads', may: [...ground, 'main/gltf', 'main/library', 'main/library_thread'] },
  { room: 'main/compose', may: ['main', ...border] },
  { room: 'main/studio', may: ['main', ...border] },
  { room: 'main/commands', may: ['main', ...border] },
  { room: 'main/hand_over', may: [...ground, 'main/studio', 'main/commands'] },
  { room: 'main/serve', may: ['main', ...border] },
  { room: 'main/command_line', may: ['main', ...border] },
  { room: 'main/cli', may: ['main/command_line'] },
  { room: 'main/desktop', may: ['main', ...border] },

  // The page: base and ui at the bottom, the frame and the entry at the roof.
  ...pile(['renderer/base', 'renderer/ui', 'renderer/viewer', 'renderer/speaking'], page, pagePackages),
  ...['renderer/activity', 'renderer/portraits', 'renderer/send'].map((room) => place(room)),
  // A page of its own for browser sources: the head and nothing else.
  { room: 'renderer/obs', may: ['proto', 'renderer/viewer', 'renderer/speaking'], packages: [] },
  place('renderer/live', 'renderer/send'),
  // One place shows what belongs to another with that one's own parts.
  place('renderer/library', 'renderer/live', 'renderer/portraits'),
  place('renderer/takes', 'renderer/live', 'renderer/send'),
  place('renderer/settings', 'renderer/live', 'renderer/library'),
  { room: 'renderer/frame', may: [...page, 'renderer'], packages: pagePackages },
  { room: 'renderer/main', may: [...page, 'renderer'], packages: pagePackages },

  // What makes, tries and measures all of it.
  { room: 'scripts/imports', may: [], packages: ['node:', 'vite'] },
  { room: 'scripts', may: [...words, 'preload', 'main', 'scripts/imports'] },
  { room: 'test/fixtures', may: [...words, 'preload', 'main', 'renderer', 'scripts'] },
  { room: 'test/support/sizes', may: [] },
  { room: 'test/support', may: [...border, 'main', 'scripts', 'test/fixtures'] },
  { room: 'test/proto', may: [...words, 'test/support/sizes'] },
  { room: 'test/sentences', may: [...words, 'main'] },
  { room: 'test/preload', may: [...words, 'preload', 'scripts', 'test/fixtures'] },
  {
    room: 'test/renderer',
    may: [...page, 'renderer', 'test/fixtures'],
    packages: [...pagePackages, 'vitest', 'vitest-browser-react'],
  },
  { room: 'test/readers', may: [...border, 'main', 'scripts', 'test/fixtures', 'test/support'] },
  { room: 'test/house', may: ['scripts', 'main', ...border] },
  { room: 'test/packaging', may: ['scripts', 'main', 'test/fixtures'] },
  // main's tests, the benchmarks and the suite end to end lend each other their servers and sounds.
  { room: 'test', may: [...border, 'main', 'renderer', 'scripts', 'test'] },
  ...[
    'scripts/crash',
    'scripts/proto-fuzz',
    'scripts/serve-soak',
    'scripts/quality/speech',
    'scripts/quality/take_face',
    'scripts/quality/words',
  ].map((room) => ({
    room,
    may: [...words, 'main', 'scripts', 'test'],
  })),
];

/** Packages that only these rooms may import, whatever their rows say. */
export const reserved: Readonly<Record<string, readonly string[]>> = {
  electron: ['main/desktop', 'main/shell/electron', 'preload/index', 'test'],
  'electron-store': ['main/shell/electron', 'test'],
  'electron-updater': ['main/shell/electron', 'test'],
  undici: ['main/upstream', 'main/engine_host', 'test'],
  ws: ['main/send', 'main/shell/browser', 'test'],
  'osc-min': ['main/send', 'test'],
  // Hostile photos are decoded in the engine's workers alone.
  'libheif-js': ['main/engine/portrait/photo'],
  bullmq: ['main/service/queue', 'main/service/worker'],
  ioredis: ['main/service/queue', 'main/service/worker', 'main/service/live', 'test'],
  '@aws-sdk/client-s3': ['main/service/store'],
  commander: ['main/commands', 'main/command_line', 'scripts/pages/command_page', 'test'],
  '@bomb.sh/tab': ['main/commands'],
  pino: ['main/storage'],
  conf: ['main/connections', 'test'],
  three: ['renderer/viewer', 'renderer/speaking', 'test'],
  '@react-three': ['renderer/viewer', 'renderer/speaking'],
};

export interface Exception {
  readonly rule: 'room' | 'circle' | 'type';
  /** The importing file; for a circle all of its files, for a type its names, with spaces between. */
  readonly at: string;
  /** The imported file, where it is one import. */
  readonly to?: string;
}

const imports = (at: string, to: string): Exception => ({ rule: 'room', at, to });
const type = (at: string): Exception => ({ rule: 'type', at });

/** What breaks a rule today. A row goes with its cause: the check refuses one that excuses nothing. */
export const known: readonly Exception[] = [
  // The library exports through formats, and formats read two of its types.
  imports('main/formats/names/name_table.ts', 'main/library/model/channel_names.ts'),
  imports('main/formats/vrm/vrm_meta.ts', 'main/library/model/likeness_record.ts'),
  // One type, written in two rooms.
  type('Crop'),
  type('Crop PhotoPart'),
  type('Question'),
  // The engine knows no contract: it states at its own door what it takes.
  type('EyelidType'),
  type('HeadCorrections'),
  type('Language'),
  type('Log'),
  type('Sex'),
  // Two things with one name.
  type('Background'),
  type('Listed'),
  type('ModelChanges'),
  type('PhotoPlane'),
  type('PhotoSelection'),
  type('Picture'),
  type('Picture Rendering'),
  type('Place'),
  type('PresetName'),
  type('Surface'),
  type('View'),
];
