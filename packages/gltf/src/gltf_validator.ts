import { createRequire } from 'node:module';

/** The shown part of the Khronos validator's report (its `validation.schema.json`). */
export interface ValidatorReport {
  validatorVersion: string;
  issues: {
    numErrors: number;
    numWarnings: number;
    numInfos: number;
    numHints: number;
    messages: { code: string; severity: number; message: string; pointer?: string }[];
  };
}

interface Validator {
  validateBytes(
    data: Uint8Array,
    options: { format: 'glb'; maxIssues: number; writeTimestamp: boolean },
  ): Promise<ValidatorReport>;
}

/** Runs the Khronos glTF-Validator over a GLB. @param maxIssues - Maximum number of messages. */
export function validateGlb(glb: Uint8Array, maxIssues: number): Promise<ValidatorReport> {
  // The package is CommonJS without types, and slow to load, so it is loaded for a report alone.
  const validator = createRequire(import.meta.url)('gltf-validator') as Validator;
  return validator.validateBytes(glb, { format: 'glb', maxIssues, writeTimestamp: false });
}
