import { ActionIcon, Button, Switch, TextInput, Tooltip, UnstyledButton } from '@mantine/core';
import { IconArrowBackUp, IconDeviceFloppy, IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt } from '../base/notices.tsx';
import type { PageHistory } from '../base/page-history.ts';
import { changePoses, removePose } from '../base/poses.ts';
import { createStore } from '../base/store.ts';
import { useSettings } from '../base/studio-queries.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import type { StagedHead } from './HeadViewer.tsx';
import classes from './MorphPanel.module.css';
import {
  canShow,
  groupOf,
  type Morph,
  morphGroups,
  otherSide,
  type PresetName,
  pose,
  presetNames,
  presets,
  weightsOf,
} from './morphs.ts';

/** Left and right move together; stays from head to head. */
const linking = createStore(false);

/**
 * A slider for every face shape. The sliders write straight into the head: React draws the list, not the
 * values, so that a hundred shapes follow the hand without a render.
 */
export function MorphPanel({ head, history }: { head: StagedHead; history: PageHistory }) {
  const { t } = useTranslation('viewer');
  const [text, setText] = useState('');
  const sliders = useRef(new Map<string, HTMLInputElement>());
  const { morphs } = head;
  const linked = linking.use();
  const shown = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return morphs.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
  }, [morphs, text]);

  const show = (morph: Morph): void => {
    const slider = sliders.current.get(morph.name);
    if (!slider) return;
    const weight = morph.weight();
    slider.value = String(weight);
    const value = slider.nextElementSibling;
    if (value instanceof HTMLInputElement && value !== document.activeElement)
      value.value = weight.toFixed(2);
    slider.closest('li')?.toggleAttribute('data-moved', weight !== 0);
  };
  const take = (weights: Readonly<Record<string, number>>): void => {
    pose(morphs, weights);
    morphs.forEach(show);
    head.redraw();
  };
  const set = (morph: Morph, weight: number): void => {
    const other = linked ? otherSide(morph.name) : null;
    for (const one of morphs)
      if (one === morph || one.name === other) {
        one.set(weight);
        show(one);
      }
    head.redraw();
  };
  // A list that was filtered comes back with the weights that the head has now.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sliders are new whenever the list is
  useEffect(() => shown.forEach(show), [shown]);

  if (morphs.length === 0)
    return <EmptyState icon={null} title={t('morphs.noneTitle')} text={t('morphs.noneText')} />;
  const usable = presetNames.filter((name) => canShow(morphs, name));
  return (
    <div className={classes.panel}>
      <div className={classes.head}>
        <TextInput
          aria-label={t('morphs.search')}
          placeholder={t('morphs.searchHint', { count: morphs.length })}
          leftSection={<IconSearch size={15} />}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <div className={classes.presets} role="toolbar" aria-label={t('morphs.presets')}>
          {usable.map((name: PresetName) => (
            <UnstyledButton key={name} className={classes.preset} onClick={() => take(presets[name])}>
              {t(`presets.${name}`)}
            </UnstyledButton>
          ))}
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            leftSection={<IconArrowBackUp size={14} />}
            onClick={() => take({})}
          >
            {t('morphs.reset')}
          </Button>
        </div>
        <OwnPoses morphs={morphs} history={history} onTake={take} />
        <Switch
          size="xs"
          mt={9}
          label={t('morphs.linked')}
          checked={linked}
          onChange={({ currentTarget: { checked } }) => linking.set(checked)}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable */}
      <section className={classes.list} tabIndex={0} aria-label={t('morphs.title')}>
        {shown.length === 0 && <p className={classes.nothing}>{t('morphs.nothing')}</p>}
        {morphGroups.map((group) => {
          const own = shown.filter(({ name }) => groupOf(name) === group);
          if (own.length === 0) return null;
          return (
            <section key={group} aria-label={t(`morphs.groups.${group}`)}>
              <h2 className={classes.group}>{t(`morphs.groups.${group}`)}</h2>
              <ul className={classes.rows}>
                {own.map((morph) => (
                  <li key={morph.name} className={classes.row}>
                    <span className={classes.name} title={morph.name}>
                      {morph.name}
                    </span>
                    <input
                      type="range"
                      min={0}
                      max={1}
                      step={0.01}
                      defaultValue={morph.weight()}
                      aria-label={morph.name}
                      ref={(slider) => {
                        if (slider) sliders.current.set(morph.name, slider);
                        else sliders.current.delete(morph.name);
                      }}
                      onInput={({ currentTarget }) => set(morph, Number(currentTarget.value))}
                    />
                    <input
                      type="number"
                      className={classes.value}
                      min={0}
                      max={1}
                      step={0.01}
                      defaultValue={morph.weight().toFixed(2)}
                      aria-label={t('morphs.weight', { name: morph.name })}
                      onInput={({ currentTarget: { value } }) => {
                        const weight = Number(value);
                        if (value !== '' && weight >= 0 && weight <= 1) set(morph, weight);
                      }}
                      onBlur={() => show(morph)}
                    />
                    <Tooltip label={t('morphs.resetOne', { name: morph.name })}>
                      <ActionIcon
                        size={22}
                        className={classes.resetOne ?? ''}
                        aria-label={t('morphs.resetOne', { name: morph.name })}
                        onClick={() => set(morph, 0)}
                      >
                        <IconArrowBackUp size={13} />
                      </ActionIcon>
                    </Tooltip>
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
      </section>
    </div>
  );
}

/** Faces that were kept under a name, for every head; kept with the studio's settings. */
function OwnPoses(props: {
  morphs: readonly Morph[];
  /** The undo history of the page. */
  history: PageHistory;
  onTake: (weights: Readonly<Record<string, number>>) => void;
}) {
  const { t } = useTranslation(['viewer', 'app']);
  const { history } = props;
  const { poses } = useSettings();
  const [name, setName] = useState<string>();
  const keep = (): void => {
    const trimmed = name?.trim();
    setName(undefined);
    if (!trimmed) return;
    const pose = { name: trimmed, weights: weightsOf(props.morphs) };
    attempt(async () => {
      const kept = await changePoses((poses) => [...poses.filter((one) => one.name !== trimmed), pose]);
      history.record({ label: t('morphs.poseSaved', { name: trimmed }), ...kept });
    });
  };
  const remove = (gone: string): void =>
    attempt(async () => {
      const title = t('morphs.poseRemoved', { name: gone });
      history.offer(title, { label: title, ...(await removePose(gone)) });
    });
  return (
    <div className={classes.presets} role="toolbar" aria-label={t('morphs.poses')}>
      {poses.map((pose) => (
        <span key={pose.name} className={classes.pose}>
          <UnstyledButton className={classes.preset} onClick={() => props.onTake(pose.weights)}>
            {pose.name}
          </UnstyledButton>
          <ActionIcon
            size={22}
            aria-label={t('morphs.removePose', { name: pose.name })}
            onClick={() => remove(pose.name)}
          >
            <IconX size={13} />
          </ActionIcon>
        </span>
      ))}
      {name === undefined ? (
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          leftSection={<IconDeviceFloppy size={14} />}
          onClick={() => setName('')}
        >
          {t('morphs.savePose')}
        </Button>
      ) : (
        <TextInput
          size="xs"
          autoFocus
          aria-label={t('morphs.poseName')}
          placeholder={t('morphs.poseName')}
          maxLength={60}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') keep();
            else if (event.key === 'Escape') setName(undefined);
          }}
          onBlur={() => setName(undefined)}
        />
      )}
    </div>
  );
}
