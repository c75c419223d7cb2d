/** The public names of the package; `formats/` has its parts. */
export { type Converted, type ConvertOrder, convertHead } from './formats/convert.ts';
export { convertTake, type TakeOrder } from './formats/convert_take.ts';
export type { FormatFile } from './formats/format_file.ts';
export { builtInNameTables, exportFormats } from './formats/format_names.ts';
export type { HeadAbout, HeadFormat } from './formats/formats.ts';
export { builtInTable } from './formats/names/built_in_tables.ts';
export { type ValidatorReport, validateGlb } from './gltf_validator.ts';
export { readHead, writeHead, writeWebHead } from './head_file.ts';
