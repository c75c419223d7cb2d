import type { Plugin } from 'vite';

const isAacModule = (id: string): boolean => /aac-encoder\/dist\/modules\/build\/aac\.js/.test(id);
const commonJs = [
  'Object.defineProperty(exports, "__esModule", { value: true });',
  'exports.default = Module;',
];
const embeddedWasm = /return binaryDecode\(('(?:[^'\\]|\\.)*')\);/s;

/**
 * The encoder's module inside `@mediabunny/aac-encoder` mixes CommonJS and ES modules, which only its own build
 * understands. This converts it to an ES module. A build moves the WebAssembly that the module holds as a string into a
 * file of its own, which is loaded when the first film is made.
 */
export function aacModule(): Plugin {
  let isBuild = false;
  return {
    name: 'likeness-aac-module',
    enforce: 'pre',
    configResolved({ command }) {
      isBuild = command === 'build';
    },
    transform(code, id) {
      if (!isAacModule(id)) return null;
      if (!commonJs.every((line) => code.includes(line)))
        throw new Error(`${id} lacks the CommonJS lines that this plugin replaces.`);
      const module = code.replace(commonJs[0]!, '').replace(commonJs[1]!, 'export default Module;');
      if (!isBuild) return { code: module, map: null };
      const [whole, literal] = embeddedWasm.exec(module) ?? [];
      if (!whole || !literal)
        throw new Error(`${id} lacks the WebAssembly that this plugin moves to a file.`);
      const file = this.emitFile({ type: 'asset', name: 'aac.wasm', source: bytesOf(literal) });
      const loading = `return fetch(import.meta.ROLLUP_FILE_URL_${file}).then((file) => file.arrayBuffer());`;
      return { code: module.replace(whole, () => loading), map: null };
    },
  };
}

/** Bytes of a JavaScript string literal as the module decodes it: a character a byte, those from 256 on are 0. */
function bytesOf(literal: string): Uint8Array {
  const text = new Function(`return ${literal}`)() as string;
  return Uint8Array.from(text, (character) => {
    const code = character.charCodeAt(0);
    return code < 256 ? code : 0;
  });
}
