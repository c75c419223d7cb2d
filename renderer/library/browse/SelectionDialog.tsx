import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelCard, ModelQuery } from '#contract';
import { attempt } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { MountedModal } from '../../ui/dialogs/MountedModal.tsx';
import { RenameDialog } from '../../ui/dialogs/RenameDialog.tsx';
import { TagsDialog } from '../../ui/dialogs/TagsDialog.tsx';
import { MakeAgainDialog } from '../again/MakeAgainDialog.tsx';
import { type Consent, ConsentFields } from '../dialogs/ConsentFields.tsx';
import { EraseDialog } from '../dialogs/EraseDialog.tsx';
import { ExportDialog } from '../dialogs/ExportDialog.tsx';
import { edit, undo } from '../edits.ts';
import type { HeadDialog } from '../head-actions.ts';
import { useFacets } from '../library-queries.ts';
import type { ModelSelection } from '../model-list.ts';
import classes from './SelectionBar.module.css';

const nameParts = ['{name}', '{name:title}', '{file}', '{date}', '{sex}', '{profile}', '{number:3}'] as const;

/** The dialog that a button of the bar or a key has opened. */
export function SelectionDialog(props: {
  dialog: HeadDialog;
  selection: ModelSelection;
  count: number;
  query: ModelQuery;
  /** The one that is chosen, or the first. */
  head: ModelCard | undefined;
  onClose: () => void;
}) {
  const { dialog, selection, count, head, onClose } = props;
  const known = useFacets(props.query).data?.tag.map(({ value }) => value) ?? [];
  switch (dialog) {
    case 'rename':
      return (
        <RenameDialog
          selection={selection}
          name={count === 1 ? props.head?.name : undefined}
          parts={nameParts}
          rename={(rule, preview) => studio.library.rename({ selection, ...rule, preview })}
          undo={undo}
          scope="library"
          onClose={onClose}
        />
      );
    case 'export':
      return <ExportDialog selection={selection} count={count} onClose={onClose} />;
    case 'tags':
      return (
        <TagsDialog
          count={count}
          known={known}
          onClose={onClose}
          onTags={(addTags, removeTags) =>
            edit(selection, {
              ...(addTags.length > 0 ? { addTags } : {}),
              ...(removeTags.length > 0 ? { removeTags } : {}),
            })
          }
        />
      );
    case 'consent':
      return (
        <ConsentDialog
          count={count}
          onClose={onClose}
          onConsent={(consent) => edit(selection, { consent })}
        />
      );
    case 'makeAgain':
      return <MakeAgainDialog selection={selection} count={count} model={head} onClose={onClose} />;
    case 'erase':
      return <EraseDialog selection={selection} count={count} onClose={onClose} />;
  }
}

function ConsentDialog(props: {
  count: number;
  onConsent: (consent: Consent) => Promise<unknown>;
  onClose: () => void;
}) {
  const { t } = useTranslation(['library', 'app']);
  const [consent, setConsent] = useState<Consent>({ who: '', basis: '', until: null });
  return (
    <MountedModal
      onClose={props.onClose}
      title={t('consent.dialog', { count: props.count })}
      size={440}
      closeButtonProps={{ 'aria-label': t('app:actions.close') }}
    >
      <div className={classes.fields}>
        <ConsentFields consent={consent} onChange={setConsent} />
      </div>
      <div className={classes.answers}>
        <Button variant="default" onClick={props.onClose}>
          {t('app:actions.cancel')}
        </Button>
        <Button
          onClick={() =>
            attempt(async () => {
              await props.onConsent(consent);
              props.onClose();
            })
          }
        >
          {t('consent.action')}
        </Button>
      </div>
    </MountedModal>
  );
}
