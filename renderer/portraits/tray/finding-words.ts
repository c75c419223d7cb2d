/**
 * The label of a finding; findings that block a photo are worded differently from those that were overridden.
 */
import { useTranslation } from 'react-i18next';
import type { PhotoFinding } from '#contract';
import type { en } from '../words/en.ts';

type Code = PhotoFinding['code'];
type Mild = keyof typeof en.mild & Code;

/** Findings with a milder and a more severe form. */
const withDegrees: ReadonlySet<Code> = new Set<Mild>([
  'several_faces',
  'face_too_small',
  'turned_too_far',
  'covered_face',
  'blurred',
  'too_dark',
  'too_bright',
]);
const isMild = (code: Code, severity: PhotoFinding['severity']): code is Mild =>
  severity === 'warning' && withDegrees.has(code);

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
