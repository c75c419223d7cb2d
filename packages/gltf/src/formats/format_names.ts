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
