/** What a finding is called: one that stops a photo otherwise than one that a head is made in spite of. */
import { useTranslation } from 'react-i18next';
import type { PhotoFinding } from '#contract';
import type { en } from '../words/en.ts';

type Code = PhotoFinding['code'];
type Mild = keyof typeof en.mild & Code;

/** Findings of which there is a lesser and a greater kind. */
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

/** Whether framing the photo otherwise may help: not where what stops it would be the same in any frame. */
export const cropMayHelp = (findings: readonly PhotoFinding[]): boolean =>
  findings.every(({ code, severity }) => severity !== 'blocking' || mendedByCrop.has(code));
