export { type AlignOptions, alignWords, type PinnedTime } from './align_words.ts';
export { alignedLabels } from './aligned_labels.ts';
