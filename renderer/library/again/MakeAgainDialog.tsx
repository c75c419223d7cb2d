import { chosenOptions, type HeadOptions } from '@likeness/proto/heads/head_options.ts';
import { Button, Group, SegmentedControl, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallOutput, Model, ModelCard } from '#contract';
import { builtInProfileId } from '#contract/constants.ts';
import { attempt, notify, offer } from '../../base/notices.tsx';
import { go } from '../../base/route.ts';
import { studio } from '../../base/studio.ts';
import { useProfiles } from '../../base/studio-queries.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { profileName } from '../../base/text/profile-name.ts';
import { MountedModal } from '../../ui/dialogs/MountedModal.tsx';
import { useModel } from '../library-queries.ts';
import type { ModelSelection } from '../model-list.ts';
import { HeadChoices } from './HeadChoices.tsx';
import { useLeftSentences } from './left-notice.ts';
import classes from './MakeAgainDialog.module.css';

interface MakeAgainProps {
  selection: ModelSelection;
  count: number;
  /** The only one, where it is one. */
  model?: Pick<ModelCard, 'id' | 'profileId'> | undefined;
  /** Its look, which was chosen beside it. */
  preset?: HeadOptions;
  onClose: () => void;
}

/** Makes heads of the same photos once more, by other choices or another engine. */
export function MakeAgainDialog(props: MakeAgainProps) {
  const { model } = props;
  if (props.count === 1 && model) return <OneHead {...props} id={model.id} />;
  return <Again {...props} made={null} />;
}

/** With the choices that the head was made with. */
function OneHead(props: MakeAgainProps & { id: string }) {
  const { data } = useModel(props.id);
  return data ? <Again {...props} made={data} /> : null;
}

function Again({ selection, count, made, preset, onClose }: MakeAgainProps & { made: Model | null }) {
  const { t } = useTranslation(['library', 'app']);
  const { t: frame } = useTranslation();
  const figures = useFigures();
  const profiles = (useProfiles().data ?? []).filter(({ builtIn, groupBUrl }) => builtIn || groupBUrl !== '');
  const [wanted, setWanted] = useState(made?.profileId ?? builtInProfileId);
  const [asNew, setAsNew] = useState(false);
  const [options, setOptions] = useState<HeadOptions>(preset ?? made?.options ?? {});
  /** For several heads, each keeps its options unless the user changes them. */
  const [choosing, setChoosing] = useState(made !== null);
  const [busy, setBusy] = useState(false);
  const profile =
    profiles.find(({ id }) => id === wanted) ?? profiles.find(({ isDefault }) => isDefault) ?? profiles[0];
  const price = (profile?.prices.perModel ?? 0) * count;
  const make = async (profileId: string): Promise<void> => {
    setBusy(true);
    try {
      const answer = await studio.batch.makeAgain({
        selection,
        profileId,
        asNew,
        ...(choosing ? { options: chosenOptions(options) } : {}),
      });
      onClose();
      notifyOf(answer);
    } finally {
      setBusy(false);
    }
  };
  const notifyOf = useAgainNotice();
  return (
    <MountedModal
      onClose={onClose}
      title={t('makeAgain.title', { count })}
      size={500}
      closeButtonProps={{ 'aria-label': t('app:actions.close') }}
    >
      <div className={classes.fields}>
        <Select
          data-autofocus
          label={t('makeAgain.with')}
          value={profile?.id ?? null}
          allowDeselect={false}
          data={profiles.map((one) => ({ value: one.id, label: profileName(frame, one) }))}
          onChange={(id) => id && setWanted(id)}
        />
        <Text c="dimmed">
          {t('makeAgain.text')}{' '}
          {price > 0 &&
            t('makeAgain.price', { count, cost: figures.money(price, profile?.prices.currency ?? 'USD') })}
        </Text>
        <div>
          <SegmentedControl
            fullWidth
            aria-label={t('makeAgain.target')}
            value={asNew ? 'new' : 'place'}
            data={[
              { value: 'place', label: t('makeAgain.inPlace') },
              { value: 'new', label: t('makeAgain.asNew') },
            ]}
            onChange={(value) => setAsNew(value === 'new')}
          />
          <Text c="dimmed" size="sm" mt={6}>
            {t(asNew ? 'makeAgain.asNewText' : 'makeAgain.inPlaceText')}
          </Text>
        </div>
        {profile?.builtIn === false ? (
          <Text c="dimmed">{t('makeAgain.otherServer')}</Text>
        ) : (
          <>
            {!made && (
              <SegmentedControl
                fullWidth
                aria-label={t('makeAgain.choose')}
                value={choosing ? 'all' : 'kept'}
                data={[
                  { value: 'kept', label: t('makeAgain.kept') },
                  { value: 'all', label: t('makeAgain.changed') },
                ]}
                onChange={(value) => setChoosing(value === 'all')}
              />
            )}
            {choosing && !preset && (
              <HeadChoices options={options} withGlasses={made?.glasses !== false} onChange={setOptions} />
            )}
          </>
        )}
      </div>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t('app:actions.cancel')}
        </Button>
        <Button loading={busy} disabled={!profile} onClick={() => profile && attempt(() => make(profile.id))}>
          {t('makeAgain.action')}
        </Button>
      </Group>
    </MountedModal>
  );
}

/** Says how many are on their way, and which can't be made. */
function useAgainNotice(): (answer: CallOutput<'batch', 'makeAgain'>) => void {
  const { t } = useTranslation(['library', 'portraits']);
  const sentencesOf = useLeftSentences();
  return (answer) => {
    const { queued } = answer;
    const sentences = sentencesOf(answer);
    const text = sentences.join(' ');
    if (queued === 0) notify({ level: 'warning', title: text, text: '' });
    else
      offer(
        {
          level: sentences.length > 0 ? 'warning' : 'success',
          title: t('portraits:start.queued', { count: queued }),
          text,
        },
        t('makeAgain.queue'),
        () => go('portraits'),
      );
  };
}
