/**
 * The rooms and their allowed imports, lowest floor first: a room imports only rooms above it in this table.
 * `npm run check` reads it; `ARCHITECTURE.md` explains it.
 *
 * A room is a folder with everything below it, or a file named without its extension; the longest match
 * counts. Add a row for each new folder without one.
 */
export interface Room {
  readonly room: string;
  /** Rooms that it may import besides itself; a room also stands for the rooms inside it. */
  readonly may: readonly string[];
  /**
   * Packages that it may import; `node:` stands for all of Node's modules. Absent: any package that is not
   * reserved.
   */
  readonly packages?: readonly string[];
}

/** A package of this repository: its public files. Its tests are rooms of their own. */
const source = (name: string): string => `packages/${name}/src`;
const sources = (...names: string[]): string[] => names.map(source);

const words = [source('messages'), 'proto'];
const kit = [...words, source('node-kit')];
/** Plain lists that the contract shares with the package they belong to. */
const lists = [
  'packages/client/src/interface_names',
  'packages/client/src/new_endpoint',
  'packages/gltf/src/formats/format_names',
  'packages/journal/src/journal_entry',
];
const border = [...words, ...lists, 'preload/contract'];
/** Imports allowed in every room of main. */
const ground = [...border, source('node-kit'), 'main/base'];

/** Rooms in layers: each may import those before it, and the common rooms. */
const pile = (rooms: readonly string[], on: readonly string[], packages?: readonly string[]): Room[] =>
  rooms.map((room, at) => ({ room, may: [...on, ...rooms.slice(0, at)], ...(packages && { packages }) }));

const page = ['preload/contract', ...words, ...lists];
const pageFoundation = [...page, 'renderer/base', 'renderer/ui', 'renderer/viewer', 'renderer/speaking'];
const pagePackages = [
  '@fontsource-variable',
  '@mantine',
  '@react-three',
  '@tabler',
  '@tanstack',
  'camera-controls',
  'i18next',
  'mediabunny',
  'meshoptimizer',
  'react',
  'react-dom',
  'react-i18next',
  'three',
  'zod',
];

/** A page of the app: one entry of its navigation. */
const pageRoom = (room: string, ...others: string[]): Room => ({
  room,
  may: [...pageFoundation, ...others],
  packages: pagePackages,
});

export const rooms: readonly Room[] = [
  // Code for all environments: imports nothing of Node, the page or Electron.
  { room: source('messages'), may: [], packages: ['i18next', 'i18next-icu', 'intl-messageformat'] },
  { room: 'proto', may: [source('messages')], packages: ['protobufjs', 'zod'] },

  // The packages: each can be used without the studio, and none knows it.
  { room: source('geometry'), may: [], packages: [] },
  { room: source('node-kit'), may: words },
  ...lists.map((room) => ({ room, may: [source('messages')], packages: [] })),
  ...pile([source('gltf'), 'packages/gltf/src/formats', 'packages/gltf/src/index'], kit),
  {
    room: source('client'),
    may: [...kit, 'packages/client/src/interface_names', 'packages/client/src/new_endpoint'],
  },
  { room: source('journal'), may: [...kit, 'packages/journal/src/journal_entry'] },
  ...pile(
    [
      'packages/portrait/src/contract',
      'packages/portrait/src/photo',
      'packages/portrait/src/topology',
      'packages/portrait/src/landmarks',
      'packages/portrait/src/fit',
      'packages/portrait/src/texture',
      'packages/portrait/src/glasses',
      'packages/portrait/src/segment',
      'packages/portrait/src/skull',
      'packages/portrait/src/hair',
      'packages/portrait/src/expressions',
      'packages/portrait/src/parts',
      'packages/portrait/src/albedo',
      'packages/portrait/src/appearance',
      'packages/portrait/src/assembly',
      'packages/portrait/src/head_options',
      'packages/portrait/src/gltf',
      'packages/portrait/src/preflight',
      'packages/portrait/src/multi_view',
      source('portrait'),
    ],
    [...kit, ...sources('geometry', 'gltf')],
  ),
  { room: source('head-renderer'), may: sources('geometry', 'portrait') },
  { room: source('synthetic-heads'), may: ['proto', ...sources('geometry', 'portrait')] },
  { room: source('speech'), may: words },
  { room: source('engine'), may: [...kit, ...sources('portrait', 'speech', 'synthetic-heads')] },
  ...pile(
    [
      'packages/service/src/store',
      'packages/service/src/queue',
      'packages/service/src/worker',
      'packages/service/src/live',
    ],
    [...kit, source('engine')],
  ),
  {
    room: source('service'),
    may: [
      ...kit,
      ...sources('engine', 'journal'),
      'packages/journal/src/journal_entry',
      ...['store', 'queue', 'live'].map((wing) => `packages/service/src/${wing}`),
    ],
  },

  { room: 'preload/contract', may: [...words, ...lists], packages: ['zod'] },
  { room: 'preload', may: ['preload/contract', ...words, ...lists], packages: ['electron', 'zod'] },

  // main's ground floor.
  { room: 'main/base', may: [...border, source('node-kit')] },

  // The rooms. None imports another, except as listed here: studio.ts passes each its dependencies.
  { room: 'main/ipc', may: ground },
  { room: 'main/shell', may: [...ground, 'main/ipc'] },
  { room: 'main/shell/none', may: [...ground, 'main/shell'] },
  { room: 'main/shell/browser', may: [...ground, 'main/ipc', 'main/shell'] },
  { room: 'main/connections', may: ground },
  {
    room: 'main/shell/electron',
    may: [...ground, 'main/ipc', 'main/shell', 'main/connections/vault/secret_file'],
  },
  { room: 'main/engine_host', may: [...ground, ...sources('engine', 'portrait'), 'main/shell'] },
  { room: 'main/dropped_files', may: ground },
  { room: 'main/live', may: [...ground, source('journal')] },
  { room: 'main/batch', may: ground },
  { room: 'main/blender', may: [...ground, 'main/shell'] },
  { room: 'main/names', may: [...ground, source('gltf')] },
  { room: 'main/library', may: [...ground, source('gltf'), 'main/names', 'main/blender'] },
  { room: 'main/journal_calls', may: [...ground, source('journal')] },
  { room: 'main/takes', may: [...ground, source('gltf')] },
  { room: 'main/send', may: [...ground, source('gltf')] },
  { room: 'main/settings', may: [...ground, 'main/connections'] },

  // The composition of the rooms, and the entries.
  { room: 'main/updates', may: [...ground, 'main/shell'] },
  {
    room: 'main/library_thread',
    may: [...ground, ...sources('gltf', 'head-renderer'), 'main/library'],
  },
  {
    room: 'main/library_threads',
    may: [...ground, source('gltf'), 'main/library', 'main/library_thread'],
  },
  { room: 'main/compose', may: ['main', 'packages', ...border] },
  { room: 'main/studio', may: ['main', 'packages', ...border] },
  { room: 'main/commands', may: ['main', 'packages', ...border] },
  { room: 'main/cli_ipc', may: [...ground, 'main/studio', 'main/commands'] },
  { room: 'main/serve', may: ['main', 'packages', ...border] },
  { room: 'main/command_line', may: ['main', 'packages', ...border] },
  { room: 'main/cli', may: ['main/command_line'] },
  { room: 'main/desktop', may: ['main', 'packages', ...border] },

  // The page, from base and ui up to the frame and the entry.
  ...pile(['renderer/base', 'renderer/ui', 'renderer/viewer', 'renderer/speaking'], page, pagePackages),
  ...['renderer/activity', 'renderer/portraits', 'renderer/send'].map((room) => pageRoom(room)),
  // A separate page for browser sources: only the head.
  { room: 'renderer/obs', may: ['proto', 'renderer/viewer', 'renderer/speaking'], packages: [] },
  pageRoom('renderer/live', 'renderer/send'),
  // A page shows another page's content with that page's components.
  pageRoom('renderer/library', 'renderer/live', 'renderer/portraits'),
  pageRoom('renderer/takes', 'renderer/live', 'renderer/send'),
  pageRoom('renderer/settings', 'renderer/live', 'renderer/library'),
  { room: 'renderer/frame', may: [...page, 'renderer'], packages: pagePackages },
  { room: 'renderer/main', may: [...page, 'renderer'], packages: pagePackages },

  // Scripts that build, test and measure the project.
  { room: 'scripts/imports', may: [], packages: ['node:', 'vite'] },
  { room: 'scripts', may: [...words, 'packages', 'preload', 'main', 'scripts/imports'] },
  { room: 'test/fixtures', may: [...words, 'packages', 'preload', 'main', 'renderer', 'scripts'] },
  { room: 'test/support/sizes', may: [] },
  { room: 'test/support/run_example', may: [] },
  { room: 'test/support', may: [...border, 'packages', 'main', 'scripts', 'test/fixtures'] },
  {
    room: 'test/proto',
    may: [...words, 'test/fixtures/made_face', 'test/support/sizes', 'test/support/run_example'],
  },
  { room: 'test/preload', may: [...words, 'preload', 'scripts', 'test/fixtures'] },
  {
    room: 'test/renderer',
    may: [...page, 'renderer', 'test/fixtures'],
    packages: [...pagePackages, 'vitest', 'vitest-browser-react'],
  },
  { room: 'test/readers', may: [...border, 'packages', 'main', 'scripts', 'test/fixtures', 'test/support'] },
  { room: 'test/house', may: ['scripts', 'main', 'packages', ...border] },
  { room: 'test/packaging', may: ['scripts', 'main', 'test/fixtures', 'test/support'] },
  // main's tests, the benchmarks and the end-to-end tests share their servers and audio.
  { room: 'test', may: [...border, 'packages', 'main', 'renderer', 'scripts', 'test'] },
  // A package's example uses the package as any other program does; its tests also use the repository's own
  // servers and photos.
  ...Object.entries({
    messages: [],
    geometry: [],
    'node-kit': [],
    gltf: ['geometry', 'portrait', 'head-renderer'],
    client: [],
    journal: [],
    speech: ['portrait', 'gltf'],
    portrait: ['geometry', 'gltf', 'head-renderer', 'synthetic-heads'],
    'head-renderer': ['portrait'],
    'synthetic-heads': ['geometry', 'portrait', 'gltf', 'head-renderer'],
    engine: ['speech', 'portrait', 'gltf', 'synthetic-heads'],
    service: ['engine', 'journal', 'speech', 'portrait'],
  }).flatMap(([name, on]) => [
    { room: `packages/${name}/example`, may: [...kit, ...sources(name, ...on)] },
    { room: `packages/${name}/test`, may: [...kit, ...sources(name, ...on), 'test', 'scripts'] },
  ]),
  {
    room: 'packages/portrait/training',
    may: [
      ...kit,
      ...sources('geometry', 'portrait', 'gltf', 'head-renderer', 'synthetic-heads'),
      'scripts',
      'test',
    ],
  },
  ...['scripts/soak', 'scripts/quality/speech', 'scripts/quality/take_face', 'scripts/quality/words'].map(
    (room) => ({
      room,
      may: [...words, 'packages', 'main', 'scripts', 'test'],
    }),
  ),
];

/** Packages that only these rooms may import, whatever their rows list. */
export const reserved: Readonly<Record<string, readonly string[]>> = {
  electron: ['main/desktop', 'main/shell/electron', 'preload/index', 'test'],
  'electron-store': ['main/shell/electron', 'test'],
  'electron-updater': ['main/shell/electron', 'test'],
  undici: ['packages/client/src', 'main/engine_host', 'test'],
  ws: ['main/send', 'main/shell/browser', 'test'],
  'osc-min': ['main/send', 'test'],
  // Hostile photos are decoded in the engine's workers alone.
  'libheif-js': ['packages/portrait/src/photo'],
  '@techstark/opencv-js': ['packages/portrait/src/segment'],
  bullmq: ['packages/service/src/queue', 'packages/service/src/worker'],
  ioredis: ['packages/service/src/queue', 'packages/service/src/worker', 'packages/service/src/live', 'test'],
  '@aws-sdk/client-s3': ['packages/service/src/store'],
  commander: ['main/commands', 'main/command_line', 'scripts/pages/command_page', 'test'],
  '@bomb.sh/tab': ['main/commands'],
  pino: ['packages/node-kit/src/storage'],
  conf: ['main/connections', 'test'],
  three: ['renderer/viewer', 'renderer/speaking', 'test'],
  '@react-three': ['renderer/viewer', 'renderer/speaking', 'test'],
  'camera-controls': ['renderer/viewer'],
};

export interface Exception {
  readonly rule: 'room' | 'circle' | 'type';
  /** The importing file; for a circle all of its files, for a type its names, separated by spaces. */
  readonly at: string;
  /** The imported file, if the exception is about one import. */
  readonly to?: string;
}

const imports = (at: string, to: string): Exception => ({ rule: 'room', at, to });
const type = (at: string): Exception => ({ rule: 'type', at });

/** Current exceptions. Remove a row when it becomes unnecessary: the check fails for it. */
export const known: readonly Exception[] = [
  // Tests of a package that also test the studio's side.
  imports('packages/client/test/audio_to_face.test.ts', 'preload/contract.ts'),
  imports('packages/client/test/probe.test.ts', 'preload/contract.ts'),
  imports('packages/journal/test/journal.test.ts', 'main/journal_calls.ts'),
  imports('packages/journal/test/journal.test.ts', 'preload/contract.ts'),
  imports('packages/portrait/test/bad_photos.test.ts', 'main/engine_host/photo_findings.ts'),
  // One type, defined in two rooms.
  type('Crop'),
  type('Crop PhotoPart'),
  type('Question'),
  // The engine does not know the contract: it defines its own input types.
  type('EyelidType'),
  type('HeadCorrections'),
  type('Language'),
  type('Log'),
  type('Sex'),
  // Different things with the same name.
  type('Background'),
  type('Listed'),
  type('ModelChanges'),
  type('PhotoPlane'),
  type('PhotoSelection'),
  type('Picture'),
  type('Picture Rendering'),
  type('Page'),
  type('PresetName'),
  type('Surface'),
  type('View'),
];
