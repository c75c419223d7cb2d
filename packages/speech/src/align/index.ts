export { alignWords } from './align_words.ts';
export { alignedLabels } from './aligned_labels.ts';
