import { noiseTreatments } from '@likeness/proto/speech/noise_treatment.ts';
import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import { Button, Input, Popover, Progress, SegmentedControl, Slider } from '@mantine/core';
import { type Icon, IconAdjustmentsHorizontal, IconRefresh, IconTextCaption } from '@tabler/icons-react';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AnalysisProgress, Take } from '#contract';
import { scriptLimits } from '#contract/takes/take_constants.ts';
import { useLatest } from '../../base/latest.ts';
import { attempt } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { worded } from '../../base/text/sentence-text.ts';
import { Callout } from '../../ui/Callout.tsx';
import { useKeyedState } from '../keyed-state.ts';
import { changeTake } from '../takes-history.ts';
import { ScriptDialog } from './ScriptDialog.tsx';
import classes from './SpeechBar.module.css';
import { isAnalysing } from './take-analysis.ts';

/** Source of the face: live or the full pass, and the transcript if known. */
export const SpeechBar = memo(function SpeechBar(props: {
  take: Take;
  analysis: AnalysisProgress | null;
  alignment: SpeechAlignment | null | undefined;
}) {
  const { t } = useTranslation('takes');
  const { take, analysis, alignment } = props;
  const [isWriting, setWriting] = useKeyedState(take.id, false);
  const isBusy = isAnalysing(analysis);
  const { id } = take;
  const showFace = useLatest((chosen: Take['shownFace']) =>
    attempt(() =>
      changeTake(id, 'shownFace', take.shownFace, chosen, (face) => studio.takes.showFace({ id, face })),
    ),
  );
  const write = useLatest(() => setWriting(true));
  const reanalyse = useLatest(() => attempt(() => studio.takes.reanalyse({ id })));
  return (
    <>
      <div className={classes.bar}>
        <FaceChoice shown={take.shownFace} hasWhole={take.fullPass !== 'none'} onShow={showFace} />
        <BarButton
          label={take.script ? t('speech.editWords') : t('speech.addWords')}
          icon={IconTextCaption}
          onClick={write}
        />
        {take.shownFace === 'second' && <Making key={take.id} take={take} />}
        <BarButton label={t('speech.reanalyse')} icon={IconRefresh} isDisabled={isBusy} onClick={reanalyse} />
        {analysis && isBusy && <Under analysis={analysis} />}
      </div>
      {!isBusy && <Trouble take={take} analysis={analysis} classification={alignment?.verdict} />}
      {isWriting && (
        <ScriptDialog take={take} unknown={alignment?.unknown ?? []} onClose={() => setWriting(false)} />
      )}
    </>
  );
});

const FaceChoice = memo(function FaceChoice(props: {
  shown: Take['shownFace'];
  hasWhole: boolean;
  onShow: (face: Take['shownFace']) => void;
}) {
  const { t } = useTranslation('takes');
  return (
    <SegmentedControl
      aria-label={t('speech.face')}
      value={props.shown}
      data={[
        { value: 'live', label: t('speech.live') },
        { value: 'second', label: t('speech.whole'), disabled: !props.hasWhole },
      ]}
      onChange={(face) => props.onShow(face as Take['shownFace'])}
    />
  );
});

const BarButton = memo(function BarButton(props: {
  label: string;
  icon: Icon;
  isDisabled?: boolean;
  onClick: () => void;
}) {
  const { label, icon: Picture, isDisabled = false, onClick } = props;
  return (
    <Button variant="default" leftSection={<Picture size={15} />} disabled={isDisabled} onClick={onClick}>
      {label}
    </Button>
  );
});

/** Reason why words or the full pass are missing: the last reported one, or the one stored with the take. */
function Trouble(props: {
  take: Take;
  analysis: AnalysisProgress | null;
  classification: SpeechAlignment['verdict'] | undefined;
}) {
  const { t } = useTranslation('takes');
  const { take, analysis, classification } = props;
  const problem = analysis && worded(analysis.problem);
  const hasFailed = take.fullPass === 'failed';
  const kept = hasFailed
    ? t('speech.failed')
    : classification === 'other_words'
      ? t('speech.otherWords')
      : classification === 'no_speech'
        ? t('speech.noSpeech')
        : '';
  if (!problem && !kept) return null;
  return <Callout tone={hasFailed ? 'bad' : 'warn'}>{problem || kept}</Callout>;
}

/** How far it is, and a way out. */
function Under({ analysis }: { analysis: AnalysisProgress }) {
  const { t } = useTranslation(['takes', 'app']);
  const stage = t(`takes:speech.stages.${analysis.stage}`);
  return (
    <div className={classes.under} role="status">
      <span>{stage}</span>
      <Progress aria-label={stage} value={analysis.share * 100} />
      <Button variant="subtle" onClick={() => attempt(() => studio.takes.stopAnalysis({ id: analysis.id }))}>
        {t('app:actions.cancel')}
      </Button>
    </div>
  );
}

const { least, most } = scriptLimits.dial;

/** How the second face is made: from mumbling to shouting, and what is done about noise. */
function Making({ take: { id, jaw, lips, noise } }: { take: Take }) {
  const { t } = useTranslation('takes');
  const { percent } = useFigures();
  const [dials, setDials] = useState({ jaw, lips });
  const save = (): void => {
    if (dials.jaw === jaw && dials.lips === lips) return;
    attempt(() =>
      changeTake(id, 'dials', { jaw, lips }, dials, (set) => studio.takes.setDials({ id, ...set })),
    );
  };
  return (
    <Popover width={290} position="top" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconAdjustmentsHorizontal size={15} />}>
          {t('speech.dials')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        {(['jaw', 'lips'] as const).map((dial) => (
          <div key={dial} className={classes.dial}>
            <span>{t(`speech.${dial}`)}</span>
            <span>{percent(dials[dial])}</span>
            <Slider
              thumbLabel={t(`speech.${dial}`)}
              min={least}
              max={most}
              step={0.05}
              label={null}
              value={dials[dial]}
              onChange={(value) => setDials((now) => ({ ...now, [dial]: value }))}
              onChangeEnd={save}
            />
          </div>
        ))}
        <Input.Wrapper label={t('speech.noise')} description={t('speech.noiseSays')}>
          <SegmentedControl
            fullWidth
            mt={6}
            aria-label={t('speech.noise')}
            value={noise}
            data={noiseTreatments.map((value) => ({ value, label: t(`speech.noises.${value}`) }))}
            onChange={(value) => {
              const chosen = noiseTreatments.find((one) => one === value);
              if (!chosen) return;
              attempt(() =>
                changeTake(id, 'noise', noise, chosen, (set) => studio.takes.setNoise({ id, noise: set })),
              );
            }}
          />
        </Input.Wrapper>
      </Popover.Dropdown>
    </Popover>
  );
}
