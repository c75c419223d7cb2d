import { Button, PasswordInput, Textarea } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BoundElsewhere, Profile, SecretName } from '#contract';
import { notify } from '../../../base/notices.tsx';
import { studio } from '../../../base/studio.ts';
import { Confirm } from '../../../ui/dialogs/Confirm.tsx';
import classes from './SecretField.module.css';

export type SecretElement = HTMLInputElement | HTMLTextAreaElement;

interface Props {
  secret: SecretName;
  label: string;
  note: string;
  /** Undefined while the connection does not exist yet. */
  profile: Profile | undefined;
  disabled: boolean;
  error: string | undefined;
  /** The key that is there stays behind when the form is saved as it is. */
  leaves: boolean;
  /** Several lines, for PEM. */
  tall?: boolean;
  /** The field itself, for the form to read when it saves. */
  register: (secret: SecretName, element: SecretElement | null) => void;
  onTyped: () => void;
}

/** Where a key that stays behind is for. */
function behindText(
  t: TFunction<['settings', 'app']>,
  { origin, proxy, ownCa, variable }: BoundElsewhere,
): string {
  if (origin === '') return t(variable ? 'secret.variableUnbound' : 'secret.unbound', { variable });
  const destination = [origin, proxy && t('secret.through', { proxy }), ownCa && t('secret.ownCa')]
    .filter(Boolean)
    .join(t('secret.and'));
  return variable
    ? t('secret.variableElsewhere', { variable, destination })
    : t('secret.elsewhere', { destination });
}

/**
 * A write-only field for a key. It is uncontrolled: the key never becomes state of the page or an attribute,
 * and leaves the field when it is saved.
 */
export function SecretField(props: Props) {
  const { t } = useTranslation(['settings', 'app']);
  const [clearing, setClearing] = useState(false);
  const state = props.profile?.secrets[props.secret];
  const kept = state?.configured ?? false;
  const behind = state?.boundElsewhere;
  const shown = kept
    ? state?.lastFour
      ? t('secret.configuredEnding', { lastFour: state.lastFour })
      : t('secret.configured')
    : behind
      ? behindText(t, behind)
      : t('secret.notSet');
  const shared = {
    label: props.label,
    description: props.note,
    error: props.error,
    disabled: props.disabled || (state?.fromEnvironment ?? false),
    placeholder: kept ? t('secret.replace') : t('secret.enter'),
    autoComplete: 'off',
    spellCheck: false,
    onInput: props.onTyped,
    'data-secret': props.secret,
  } as const;
  return (
    <div className={classes.secret}>
      {props.tall ? (
        <Textarea
          {...shared}
          ref={(element) => props.register(props.secret, element)}
          minRows={3}
          className={classes.pem}
          autosize
          maxRows={8}
        />
      ) : (
        <PasswordInput
          {...shared}
          ref={(element) => props.register(props.secret, element)}
          visibilityToggleButtonProps={{ 'aria-label': t('app:actions.show') }}
        />
      )}
      <div className={classes.state} data-kept={kept || undefined}>
        <IconLock size={13} stroke={1.8} aria-hidden />
        <span className="figures">{state?.fromEnvironment ? t('secret.fromEnvironment') : shown}</span>
        {(kept || behind?.variable === '') && !state?.fromEnvironment && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            disabled={props.disabled}
            aria-label={t('secret.clearLabel', { name: props.label })}
            onClick={() => setClearing(true)}
          >
            {t('secret.clear')}
          </Button>
        )}
      </div>
      {kept && props.leaves && (
        <p className={classes.leaves} role="status">
          {t('secret.leaves')}
        </p>
      )}
      <Confirm
        opened={clearing}
        title={t('secret.clearTitle', { name: props.label })}
        text={t('secret.clearText')}
        action={t('secret.clear')}
        onConfirm={async () => {
          if (props.profile)
            await studio.connections.clearSecret({ id: props.profile.id, secret: props.secret });
          notify({ level: 'success', title: t('secret.cleared', { name: props.label }), text: '' });
        }}
        onClose={() => setClearing(false)}
      />
    </div>
  );
}
