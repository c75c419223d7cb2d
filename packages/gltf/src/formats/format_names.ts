/** The formats in which a head can be exported. `zip`: a folder of several files as one. */
export const exportFormats = [
  'glb',
  'glb-meshopt',
  'fbx',
  'vrm',
  'vrm0',
  'usdz',
  'gltf',
  'obj',
  'zip',
] as const;

/** A format that needs only a head. */
export type FileFormat = Exclude<(typeof exportFormats)[number], 'zip'>;

interface FormatFiles {
  /** File extension; for a format of several files, that of the main file. */
  ending: string;
  /** It has a separate folder, or is a zip. */
  severalFiles: boolean;
  /** It holds face shapes. */
  shapes: boolean;
  /** Its face shapes can be renamed. VRM has its own names. */
  renames: boolean;
}
const oneFile = (ending: string): FormatFiles => ({
  ending,
  severalFiles: false,
  shapes: true,
  renames: ending !== 'vrm',
});

/** The files of each format. Apart from its writers, so that to know them loads no library. */
export const formatFiles: Readonly<Record<FileFormat, FormatFiles>> = {
  glb: oneFile('glb'),
  'glb-meshopt': oneFile('glb'),
  fbx: oneFile('fbx'),
  vrm: oneFile('vrm'),
  vrm0: oneFile('vrm'),
  usdz: oneFile('usdz'),
  gltf: { ...oneFile('gltf'), severalFiles: true },
  obj: { ending: 'obj', severalFiles: true, shapes: false, renames: false },
};

/**
 * The vocabularies of other programs that come with the studio;
 * `docs/formats/names.md` says where each is from.
 */
export const builtInNameTables = [
  'arkit',
  'arkit-pascal',
  'arkit-snake',
  'arkit-short',
  'oculus',
  'oculus-short',
  'vrchat',
  'vrm',
  'vrm0',
  'cc4',
  'metahuman',
  'preston-blair',
  'rhubarb',
] as const;
