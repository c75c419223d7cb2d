import type { Plugin } from 'vite';

const isAacModule = (id: string): boolean => /aac-encoder\/dist\/modules\/build\/aac\.js/.test(id);
const commonJs = [
  'Object.defineProperty(exports, "__esModule", { value: true });',
  'exports.default = Module;',
];

/**
 * The encoder's module inside `@mediabunny/aac-encoder` is half CommonJS, half ES module, which only its own build
 * reads. This makes an ES module of it.
 */
export const aacModule: Plugin = {
  name: 'likeness-aac-module',
  enforce: 'pre',
  transform(code, id) {
    if (!isAacModule(id)) return null;
    if (!commonJs.every((line) => code.includes(line))) throw new Error(`${id} is made otherwise now.`);
    return {
      code: code.replace(commonJs[0]!, '').replace(commonJs[1]!, 'export default Module;'),
      map: null,
    };
  },
};
