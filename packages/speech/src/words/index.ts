export { readScript, type SpokenWord } from './read_script.ts';
export { ScriptError } from './script_error.ts';
export { scriptLanguageFault } from './script_language.ts';
