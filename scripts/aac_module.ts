import type { Plugin } from 'vite';

const isAacModule = (id: string): boolean => /aac-encoder\/dist\/modules\/build\/aac\.js/.test(id);
const commonJs = [
  'Object.defineProperty(exports, "__esModule", { value: true });',
  'exports.default = Module;',
];

/**
 * The encoder's module inside `@mediabunny/aac-encoder` mixes CommonJS and ES modules, which only its own build
 * understands. This converts it to an ES module.
 */
export const aacModule: Plugin = {
  name: 'likeness-aac-module',
  enforce: 'pre',
  transform(code, id) {
    if (!isAacModule(id)) return null;
    if (!commonJs.every((line) => code.includes(line)))
      throw new Error(`${id} lacks the CommonJS lines that this plugin replaces.`);
    return {
      code: code.replace(commonJs[0]!, '').replace(commonJs[1]!, 'export default Module;'),
      map: null,
    };
  },
};
