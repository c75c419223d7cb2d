import type { Message } from '@likeness/messages';
import type { Photo, PhotoFinding } from '#contract';
import type { PhotoRow } from './photo_row.ts';

/** Findings that need the head's outline. */
export const ofOutline: ReadonlySet<PhotoFinding['code']> = new Set(['uncertain_outline', 'hair_cut_off']);

export const warningOf = (code: PhotoFinding['code'], message: Message): PhotoFinding => ({
  code,
  severity: 'warning',
  message,
  figure: null,
  limit: null,
  unit: '',
});

/** Returns the findings that block a photo. Overridden ones block it only if no head can be made. */
export const stopping = (findings: readonly PhotoFinding[], anyway: boolean): PhotoFinding[] =>
  findings.filter((finding) => finding.severity === 'blocking' && !(anyway && finding.anyway));

/** Returns the overridden findings of a photo. */
export const overriddenOf = ({ findings, anyway }: Pick<PhotoRow, 'findings' | 'anyway'>) =>
  anyway && stopping(findings, true).length === 0
    ? findings.filter(({ severity }) => severity === 'blocking').map(({ code }) => code)
    : [];

export function checkOf(findings: readonly PhotoFinding[], anyway: boolean): Photo['check'] {
  if (stopping(findings, anyway).length > 0) return 'blocked';
  return findings.length > 0 ? 'warning' : 'ok';
}
