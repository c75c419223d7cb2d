import { editLimits } from '@likeness/proto/takes/edits/edit_limits.ts';
import { ActionIcon, Button, Select, Switch, TextInput, Tooltip, UnstyledButton } from '@mantine/core';
import { IconCamera, IconChevronDown, IconChevronRight, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../../base/studio-queries.ts';
import type { EditSession } from '../edits/edit-session.ts';
import { NumberCell } from '../panels/NumberCell.tsx';
import classes from '../panels/panels.module.css';
import { headTurns, type TakeCurves } from '../timeline/take-curves.ts';
import { faceAt, nameProblem, type OwnExpression, ownExpressions } from './own-expressions.ts';

interface OwnExpressionsProps {
  session: EditSession;
  /** Null until the take is read. */
  curves: TakeCurves | null;
  now: () => number;
}

/** Custom expressions: saved from the face at the playhead, edited, renamed, removed. */
export function OwnExpressions(props: OwnExpressionsProps) {
  const { t } = useTranslation('takes');
  const { poses } = useSettings();
  const { session, curves, now } = props;
  const [name, setName] = useState('');
  const [speaks, setSpeaks] = useState(false);
  const problem = name.trim() ? nameProblem(poses, name, null) : '';
  const canKeep =
    curves !== null && name.trim() !== '' && problem === '' && poses.length < editLimits.presets;
  const keep = (): void => {
    if (!canKeep) return;
    ownExpressions(session).keep(name.trim(), faceAt(curves, now(), speaks));
    setName('');
  };
  return (
    <section aria-label={t('editor.own.title')} className={classes.panel}>
      <h2 className={classes.title}>{t('editor.own.title')}</h2>
      <div className={classes.row}>
        <TextInput
          className={classes.note ?? ''}
          aria-label={t('editor.own.name')}
          placeholder={t('editor.own.name')}
          maxLength={editLimits.name}
          value={name}
          error={problem || undefined}
          onChange={({ currentTarget: { value } }) => setName(value)}
          onKeyDown={({ key }) => {
            if (key === 'Enter') keep();
          }}
        />
        <Button variant="default" disabled={!canKeep} onClick={keep}>
          {t('editor.own.keep')}
        </Button>
      </div>
      <Switch
        label={t('editor.own.speaks')}
        checked={speaks}
        onChange={({ currentTarget: { checked } }) => setSpeaks(checked)}
      />
      {poses.length === 0 && <p className={classes.quiet}>{t('editor.own.none')}</p>}
      {poses.map((pose) => (
        <OwnExpressionRow key={pose.name} pose={pose} poses={poses} speaks={speaks} {...props} />
      ))}
    </section>
  );
}

function OwnExpressionRow(
  props: OwnExpressionsProps & { pose: OwnExpression; poses: readonly OwnExpression[]; speaks: boolean },
) {
  const { t } = useTranslation('takes');
  const { pose, poses, speaks, session, curves, now } = props;
  const { name, weights } = pose;
  const [isOpen, setOpen] = useState(false);
  const [draft, setDraft] = useState<string | null>(null);
  const own = ownExpressions(session);
  const problem = draft?.trim() ? nameProblem(poses, draft, name) : '';
  const rename = (): void => {
    const next = draft?.trim();
    if (next && next !== name && problem === '') own.rename(name, next);
    setDraft(null);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: several fields of one expression, no form
    <div role="group" aria-label={name}>
      <div className={classes.row}>
        <UnstyledButton
          aria-expanded={isOpen}
          aria-label={t('editor.own.weightsOf', { name })}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
        </UnstyledButton>
        <TextInput
          className={classes.note ?? ''}
          aria-label={t('editor.own.nameOf', { name })}
          maxLength={editLimits.name}
          value={draft ?? name}
          error={problem || undefined}
          onChange={({ currentTarget: { value } }) => setDraft(value)}
          onBlur={rename}
          onKeyDown={({ key, currentTarget }) => {
            if (key === 'Enter') currentTarget.blur();
          }}
        />
        <Tooltip label={t('editor.own.again')}>
          <ActionIcon
            size={26}
            aria-label={t('editor.own.againOf', { name })}
            disabled={curves === null}
            onClick={() => curves && own.change(name, faceAt(curves, now(), speaks))}
          >
            <IconCamera size={15} />
          </ActionIcon>
        </Tooltip>
        <ActionIcon
          size={26}
          aria-label={t('editor.own.removeOf', { name })}
          onClick={() => own.remove(name)}
        >
          <IconTrash size={14} />
        </ActionIcon>
      </div>
      {isOpen && (
        <Weights
          weights={weights}
          names={(curves?.curves ?? [])
            .map((curve) => curve.name)
            .filter((channel) => !headTurns.some((turn) => turn === channel))}
          onSet={(next) => own.change(name, next)}
        />
      )}
    </div>
  );
}

/** Weights of an expression, one channel a line. */
function Weights(props: {
  weights: Readonly<Record<string, number>>;
  /** Channels that can be added. */
  names: readonly string[];
  onSet: (weights: Record<string, number>) => void;
}) {
  const { t } = useTranslation('takes');
  const { weights, names, onSet } = props;
  return (
    <div className={classes.panel}>
      {Object.entries(weights).map(([channel, weight]) => (
        <div key={channel} className={classes.row}>
          <span className={`${classes.quiet} ${classes.note}`}>{channel}</span>
          <NumberCell
            label={t('editor.own.weightOf', { channel })}
            value={weight}
            digits={2}
            step={0.05}
            least={0}
            most={1}
            onSet={(next) => onSet({ ...weights, [channel]: next })}
          />
          <ActionIcon
            size={24}
            aria-label={t('editor.own.removeChannel', { channel })}
            onClick={() => {
              const { [channel]: _, ...rest } = weights;
              onSet(rest);
            }}
          >
            <IconTrash size={14} />
          </ActionIcon>
        </div>
      ))}
      <Select
        size="xs"
        searchable
        aria-label={t('editor.own.addChannel')}
        placeholder={t('editor.own.addChannel')}
        data={names.filter((name) => !Object.hasOwn(weights, name))}
        value={null}
        onChange={(channel) => {
          if (channel) onSet({ ...weights, [channel]: 0.5 });
        }}
        nothingFoundMessage={t('editor.curve.noChannel')}
      />
    </div>
  );
}
