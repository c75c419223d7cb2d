import { chosenOptions } from '@likeness/proto/heads/head_options.ts';
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconChevronDown, IconPhotoScan } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job, Model } from '#contract';
import { builtInProfileId } from '#contract/constants.ts';
import { attempt } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { isOpen } from '../../portraits/queue/job-state.ts';
import { useLeftNotice } from '../again/left-notice.ts';
import { MakeAgainDialog } from '../again/MakeAgainDialog.tsx';
import { CopyLookDialog } from './CopyLookDialog.tsx';
import classes from './Look.module.css';
import { discardDraft, type LookDraft, presentOf, versionsOf } from './look-state.ts';

/** The number of changes, and the buttons that make, copy or discard them. */
export function LookFoot(props: {
  model: Model;
  draft: LookDraft;
  /** The one that makes this head again, if there is one. */
  job: Job | undefined;
}) {
  const { model, draft, job } = props;
  const { t } = useTranslation('library');
  const figures = useFigures();
  const [dialog, setDialog] = useState<'copy' | 'other'>();
  const notifyLeft = useLeftNotice();
  const versions = versionsOf(model);
  const next = versions.length + 1;
  const isBusy = job !== undefined && isOpen(job);
  const { changed, wanted } = draft;
  const { seconds } = model.timings;
  const make = (): void =>
    attempt(async () =>
      notifyLeft(
        await studio.batch.makeAgain({
          selection: { ids: [model.id] },
          profileId: builtInProfileId,
          options: chosenOptions(wanted),
          asNew: false,
        }),
      ),
    );
  const canMake = !isBusy && (changed.length > 0 || model.outdated);
  return (
    <footer className={classes.foot}>
      <p role="status">
        {isBusy
          ? t('headLook.making', { number: next })
          : changed.length === 0
            ? t('headLook.unchanged', { number: presentOf(versions).number })
            : [
                t('headLook.changes', { count: changed.length }),
                seconds !== null && t('headLook.takes', { time: figures.seconds(Math.round(seconds)) }),
              ]
                .filter(Boolean)
                .join(' ')}
      </p>
      <div className={classes.buttons}>
        <Tooltip label={t('headLook.reset')}>
          <ActionIcon
            variant="default"
            size={30}
            aria-label={t('headLook.reset')}
            disabled={changed.length === 0}
            onClick={() => discardDraft(model)}
          >
            <IconArrowBackUp size={16} />
          </ActionIcon>
        </Tooltip>
        <Button variant="default" onClick={() => setDialog('copy')}>
          {t('headLook.copyTo')}
        </Button>
        <Button.Group className={classes.make}>
          <Button
            variant="light"
            leftSection={<IconPhotoScan size={16} />}
            disabled={!canMake}
            onClick={make}
          >
            {t('headLook.make', { number: next })}
          </Button>
          <Menu position="top-end">
            <Menu.Target>
              <Button variant="light" px={6} aria-label={t('headLook.more')}>
                <IconChevronDown size={15} />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setDialog('other')}>{t('headLook.other')}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Button.Group>
      </div>
      {dialog === 'copy' && (
        <CopyLookDialog model={model} options={wanted} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'other' && (
        <MakeAgainDialog
          selection={{ ids: [model.id] }}
          count={1}
          model={model}
          preset={wanted}
          onClose={() => setDialog(undefined)}
        />
      )}
    </footer>
  );
}
