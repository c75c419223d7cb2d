/** What is done about noise before a recording is heard; `auto`: it is suppressed where there is enough of it. */
export const noiseTreatments = ['auto', 'on', 'off'] as const;
export type NoiseTreatment = (typeof noiseTreatments)[number];
