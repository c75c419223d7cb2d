import type { HeadOptions } from '@likeness/proto/heads/head_options.ts';
import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Model } from '#contract';
import { canRun } from '../../base/actions.ts';
import { attempt } from '../../base/notices.tsx';
import { Callout } from '../../ui/Callout.tsx';
import { edit } from '../edits.ts';
import { headActions, headsOnPage } from '../head-actions.ts';
import classes from './Look.module.css';
import type { LookDraft } from './look-state.ts';

const outline = headActions.find(({ id }) => id === 'heads.outline')!;

/** The engine’s question about a part that it is unsure of, with the answers. */
export function LookQuestion(props: { model: Model; draft: LookDraft; set: (changes: HeadOptions) => void }) {
  const { t } = useTranslation('library');
  const { model, draft, set } = props;
  const style = draft.wanted.hair ?? 'seen';
  const question = model.uncertain.find((one) => one !== 'hair' || style === 'seen');
  if (!question) return null;
  const heads = headsOnPage(model);
  return (
    <div className={classes.question}>
      <Callout tone="warn" title={t(`headLook.questions.${question}.title`)}>
        <p>{t(`headLook.questions.${question}.text`)}</p>
        <Group gap={4} mt={8}>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => attempt(() => edit({ ids: [model.id] }, { uncertaintyAnswered: true }))}
          >
            {t(`headLook.questions.${question}.yes`)}
          </Button>
          {question === 'hair' && (
            <Button variant="default" size="compact-sm" onClick={() => set({ hair: 'bald' })}>
              {t('headLook.questions.hair.no')}
            </Button>
          )}
          {canRun(outline, heads) && (
            <Button variant="subtle" color="gray" size="compact-sm" onClick={() => outline.run(heads)}>
              {t('headLook.questions.correct')}
            </Button>
          )}
        </Group>
      </Callout>
    </div>
  );
}
