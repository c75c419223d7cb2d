export const erasureSentences = {
  'erasure.done': {
    en: 'Model, photo, thumbnail, rows, exports and what was kept of them were erased.',
    zh: '模型、照片、缩略图、记录行、导出文件及其留存内容均已清除。',
  },
  'erasure.failed': {
    en: '{failed} heads could not be erased: {problem}',
    zh: '有 {failed} 个头模无法清除：{problem}',
  },
  'erasure.close_programs': {
    en: 'Close programs that use them, then try again.',
    zh: '请关闭正在使用它们的程序，然后重试。',
  },
  'glb.export_anew': {
    en: 'Export the head anew from the program that it was made with, or fetch it again.',
    zh: '请从制作该头模的程序重新导出，或重新获取。',
  },
  'glb.fault': {
    en: 'The file {problem}.',
    zh: '文件有问题：{problem}。',
  },
  'glb.not_glb': {
    en: 'The head is not a binary glTF 2.0 file (GLB).',
    zh: '头模不是二进制 glTF 2.0 文件（GLB）。',
  },
  'glb.choose_another': {
    en: 'Choose another head, or verify the library that it is in.',
    zh: '请选择其他头模，或校验它所在的模型库。',
  },
  'names.no_field': {
    en: 'There is no field {whole}.',
    zh: '没有字段 {whole}。',
  },
  'names.there_are': {
    en: 'There are {fields}.',
    zh: '可用的有 {fields}。',
  },
} as const;
