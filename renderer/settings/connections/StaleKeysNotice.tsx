import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Profile } from '#contract';
import { secretNames } from '#contract/constants.ts';
import { notify, notifyFailure } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { Callout } from '../../ui/Callout.tsx';

/**
 * Says that keys stay behind and lets the person ask for them to follow. The question
 * itself comes from main, outside of this page.
 */
export function StaleKeysNotice({ profile, unsaved }: { profile: Profile; unsaved: boolean }) {
  const { t } = useTranslation(['settings', 'app']);
  const [asking, setAsking] = useState(false);
  if (!secretNames.some((name) => profile.secrets[name].boundElsewhere)) return null;

  const ask = async (): Promise<void> => {
    setAsking(true);
    try {
      const { bound } = await studio.connections.rebind({ id: profile.id });
      notify({
        level: bound ? 'success' : 'warning',
        title: t(bound ? 'behind.bound' : 'behind.unbound'),
        text: '',
      });
    } catch (thrown) {
      notifyFailure(thrown);
    } finally {
      setAsking(false);
    }
  };

  return (
    <Callout
      tone="warn"
      title={t('behind.title')}
      action={
        <Button loading={asking} disabled={unsaved} onClick={() => void ask()}>
          {t('behind.ask')}
        </Button>
      }
    >
      {t('behind.text')} {unsaved ? t('behind.saveFirst') : t('behind.where')}
    </Callout>
  );
}
