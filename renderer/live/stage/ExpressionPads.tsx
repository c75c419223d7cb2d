import { useRovingIndex } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { actionWords, expressionActions, expressions, perform } from '../live-keys.ts';
import { useLiveSettings } from '../live-settings.ts';
import { KeyHint } from '../panels/KeyHint.tsx';
import { expressionNow } from '../shown-face.ts';
import { keepFocus } from './keep-focus.ts';
import classes from './StageControls.module.css';

/**
 * A button for each expression that a key shows. On a narrow stage only the keys stay. All are one tab stop; arrow
 * keys lead from one to the next.
 */
export function ExpressionPads() {
  const { t } = useTranslation(['live', 'viewer']);
  const { keys } = useLiveSettings();
  const shown = expressionNow.use();
  const { getItemProps } = useRovingIndex({ total: expressionActions.length, orientation: 'both' });
  return (
    <div role="toolbar" className={classes.pads} aria-label={t('live:pads.label')}>
      {expressionActions.map((action, index) => {
        const name = t(actionWords(action));
        return (
          <button
            key={action}
            type="button"
            className={classes.pad}
            aria-pressed={shown === expressions[action]}
            onMouseDown={keepFocus}
            {...getItemProps({ index, onClick: () => perform(action) })}
          >
            <span className={classes.name}>{name}</span>
            {keys[action] ? (
              <KeyHint action={action} />
            ) : (
              <span className={classes.initial} aria-hidden>
                {[...name][0]}
              </span>
            )}
          </button>
        );
      })}
    </div>
  );
}
