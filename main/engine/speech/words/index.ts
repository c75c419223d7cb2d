export { readScript, type ScriptOptions, type SpokenScript, type SpokenWord } from './read_script.ts';
export { ScriptError, type ScriptFault } from './script_error.ts';
export { type ScriptLanguageFault, scriptLanguageFault } from './script_language.ts';
