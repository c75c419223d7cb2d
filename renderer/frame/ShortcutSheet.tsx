import { Anchor, Kbd, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useActionWords } from '../base/actions.ts';
import { go } from '../base/route.ts';
import { printKey } from '../base/shortcuts/shortcuts.ts';
import { useShortcutList } from '../settings/shortcuts/shortcut-list.ts';
import { MountedModal } from '../ui/dialogs/MountedModal.tsx';
import classes from './ShortcutSheet.module.css';

/** All shortcuts, with the way to change them. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('app');
  const { labelOf } = useActionWords();
  const groups = useShortcutList();
  return (
    <MountedModal
      onClose={onClose}
      title={t('shortcuts.title')}
      size={820}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Text c="dimmed" mb="lg">
        {t('shortcuts.intro')}{' '}
        <Anchor
          component="button"
          onClick={() => {
            onClose();
            go('settings', 'shortcuts');
          }}
        >
          {t('shortcuts.change')}
        </Anchor>
      </Text>
      <div className={classes.groups}>
        {groups.map(({ group, title, rows }) => (
          <section key={group}>
            <h3 className={classes.title}>{labelOf(title)}</h3>
            <dl className={classes.rows}>
              {rows
                .filter(({ keys }) => keys.length > 0)
                .map(({ id, name, keys, isFixed }) => (
                  <div key={id} className={classes.row}>
                    <dt>{name}</dt>
                    <dd>
                      {(isFixed ? keys : keys.slice(0, 1)).map((key) => (
                        <KeySteps key={key} steps={printKey(key).split(' ')} isSequence={key.includes(' ')} />
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </MountedModal>
  );
}

/** Keys that are pressed together, or one after the other. */
function KeySteps({ steps, isSequence }: { steps: readonly string[]; isSequence: boolean }) {
  const { t } = useTranslation('app');
  return (
    <span>
      {steps.map((one, step) => (
        <span key={one}>
          {step > 0 && isSequence && <span className={classes.then}>{t('shortcuts.afterwards')}</span>}
          <Kbd size="xs">{one}</Kbd>
        </span>
      ))}
    </span>
  );
}
