/** Heads of nobody, drawn without a photo: the studio's own heads, and subjects whose true shape tests know. */
export { defaultHead, defaultShape } from './default_head.ts';
