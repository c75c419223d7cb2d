/** The package has types of its module, and none of the same module with its WebAssembly in it. */
declare module 'libheif-js/libheif-wasm/libheif-bundle.js' {
  import type { MainModule } from 'libheif-js/libheif-wasm/libheif.js';
  /** Begins a decoder with a memory of its own. */
  export default function start(): MainModule;
}
