/**
 * The label of a finding; findings that block a photo are worded differently from those that were overridden.
 */
import { type GradedFinding, isGraded } from '@likeness/proto/heads/photo_findings.ts';
import { useTranslation } from 'react-i18next';
import type { PhotoFinding } from '#contract';

type Code = PhotoFinding['code'];

const isMild = (code: Code, severity: PhotoFinding['severity']): code is GradedFinding =>
  severity === 'warning' && isGraded(code);

export function useFindingWords(): {
  name: (finding: Pick<PhotoFinding, 'code' | 'severity'>) => string;
  text: (finding: Pick<PhotoFinding, 'code' | 'severity'>) => string;
} {
  const { t } = useTranslation('portraits');
  return {
    name: ({ code, severity }) => (isMild(code, severity) ? t(`mild.${code}`) : t(`findings.${code}`)),
    text: ({ code, severity }) =>
      isMild(code, severity) ? t(`mildTexts.${code}`) : t(`findingTexts.${code}`),
  };
}

const mendedByCrop: ReadonlySet<Code> = new Set(['several_faces', 'face_too_small', 'no_face', 'too_large']);

/** Whether another crop may help: not if the problem is the same in any crop. */
export const cropMayHelp = (findings: readonly PhotoFinding[]): boolean =>
  findings.every(
    // Too many megapixels can't be decoded to be cropped; too many bytes can.
    ({ code, severity, unit }) => severity !== 'blocking' || (mendedByCrop.has(code) && unit !== 'MP'),
  );
