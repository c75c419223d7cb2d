import { chosenOptions } from '@likeness/proto/heads/head_options.ts';
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconChevronDown, IconPhotoScan } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Model } from '#contract';
import { builtInProfileId } from '#contract/constants.ts';
import { attempt } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { useLeftNotice } from '../again/left-notice.ts';
import { MakeAgainDialog } from '../again/MakeAgainDialog.tsx';
import { CopyLookDialog } from './CopyLookDialog.tsx';
import classes from './Look.module.css';
import { dropDraft, isOpen, type LookDraft, presentOf, useMaking, versionsOf } from './look-state.ts';

/** The number of changes, and the buttons that make, copy or discard them. */
export function LookFoot({ model, draft }: { model: Model; draft: LookDraft }) {
  const { t } = useTranslation('library');
  const figures = useFigures();
  const [dialog, setDialog] = useState<'copy' | 'other'>();
  const { job } = useMaking(model.id);
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
          ? t('look.making', { number: next })
          : changed.length === 0
            ? t('look.unchanged', { number: presentOf(versions).number })
            : [
                t('look.changes', { count: changed.length }),
                seconds !== null && t('look.takes', { time: figures.seconds(Math.round(seconds)) }),
              ]
                .filter(Boolean)
                .join(' ')}
      </p>
      <div className={classes.buttons}>
        <Tooltip label={t('look.reset')}>
          <ActionIcon
            variant="default"
            size={30}
            aria-label={t('look.reset')}
            disabled={changed.length === 0}
            onClick={() => dropDraft(model.id)}
          >
            <IconArrowBackUp size={16} />
          </ActionIcon>
        </Tooltip>
        <Button variant="default" onClick={() => setDialog('copy')}>
          {t('look.copyTo')}
        </Button>
        <Button.Group className={classes.make}>
          <Button
            variant="light"
            leftSection={<IconPhotoScan size={16} />}
            disabled={!canMake}
            onClick={make}
          >
            {t('look.make', { number: next })}
          </Button>
          <Menu position="top-end">
            <Menu.Target>
              <Button variant="light" px={6} aria-label={t('look.more')}>
                <IconChevronDown size={15} />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setDialog('other')}>{t('look.other')}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Button.Group>
      </div>
      {dialog === 'copy' && (
        <CopyLookDialog model={model} look={wanted} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'other' && (
        <MakeAgainDialog
          selection={{ ids: [model.id] }}
          count={1}
          model={model}
          look={wanted}
          onClose={() => setDialog(undefined)}
        />
      )}
    </footer>
  );
}
