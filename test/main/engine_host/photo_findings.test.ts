import { findingCodes, isGraded, photoErrors, photoWarnings } from '@likeness/proto/heads/photo_findings.ts';
import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../../main/engine_host/photo_findings.ts';
import '../../fixtures/messages_as_text.ts';

type Reported = Parameters<typeof findingsOf>[0][number];
const reported = (code: string, severity: Reported['severity']): Reported => ({
  code,
  severity,
  overridable: severity === 'error',
  figure: null,
  limit: null,
  unit: '',
  params: {},
  ...(severity === 'error' && { messages: { en: `English of ${code}`, zh: '中文' } }),
});

describe('findings of the engine', () => {
  it.each(Object.entries(photoErrors))('show the error %s as %s, which blocks the photo', (code, shown) => {
    const [finding] = findingsOf([reported(code, 'error')]);
    expect(finding).toMatchObject({ code: shown, severity: 'blocking' });
    expect(finding!.message).toEqual(`English of ${code}`);
  });

  it.each(Object.entries(photoWarnings))(
    'show the warning %s as %s, in the studio’s words',
    (code, shown) => {
      const [finding] = findingsOf([reported(code, 'warning')]);
      expect(finding).toMatchObject({ code: shown, severity: 'warning' });
      expect(finding!.message).toEqual(expect.stringMatching(/^[A-Z].+\.$/));
    },
  );

  it.each(['of_a_later_engine', 'constructor', 'toString'])('may be unknown: %s', (code) => {
    expect(findingsOf([reported(code, 'error')])).toMatchObject([
      { code: 'check_failed', severity: 'warning' },
    ]);
    expect(findingsOf([reported(code, 'warning')])).toEqual([]);
  });

  it('have a milder form where they can be an error and a warning', () => {
    expect(findingCodes.filter(isGraded)).toEqual([
      'several_faces',
      'face_too_small',
      'turned_too_far',
      'covered_face',
      'blurred',
      'too_dark',
      'too_bright',
    ]);
  });
});
