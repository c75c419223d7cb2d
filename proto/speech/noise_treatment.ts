/** Noise suppression before a recording is analysed; `auto` suppresses noise above a threshold. */
export const noiseTreatments = ['auto', 'on', 'off'] as const;
export type NoiseTreatment = (typeof noiseTreatments)[number];
