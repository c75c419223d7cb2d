/** Runs orders that may be refused because a key is missing, and leads to where it is entered. */
import i18next from 'i18next';
import { notifyFailure, offer } from '../../base/notices.tsx';
import { go } from '../../base/route.ts';
import { asFailure } from '../../base/studio.ts';

/**
 * Runs an order of a connection that a click started. Errors are reported; for a missing key with a link to
 * its field.
 */
export function attemptAt(profileId: string, work: () => Promise<unknown>): void {
  work().catch((thrown: unknown) => {
    const { code, text } = asFailure(thrown);
    if (code !== 'key_missing') return notifyFailure(thrown);
    const english = i18next.language.startsWith('en');
    offer(
      {
        level: 'error',
        title: i18next.t(`failure.${code}`),
        text: english ? text : i18next.t('portraits:start.noKeyText'),
      },
      i18next.t('portraits:start.enterKey'),
      () => go('settings', 'connections', profileId),
    );
  });
}
