import { Button, Code, Group, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallOutput } from '#contract';
import type { NameRule } from '#contract/fields.ts';
import { attempt, offerUndo, type UndoScope } from '../../base/notices.tsx';
import { Callout } from '../Callout.tsx';
import { MountedModal } from './MountedModal.tsx';
import classes from './RenameDialog.module.css';

const maxShown = 8;

/** Names by a pattern; what would come of it is shown before anything is changed. */
export function RenameDialog(props: {
  /** Tells the selection from others in the cache. */
  selection: unknown;
  /** The name of the only one, which is typed without a pattern. */
  name?: string | undefined;
  /** Fields that a pattern may have. */
  parts: readonly string[];
  rename: (rule: NameRule, preview: boolean) => Promise<CallOutput<'library', 'rename'>>;
  undo: () => void;
  scope: UndoScope;
  onClose: () => void;
}) {
  const { t } = useTranslation(['library', 'app']);
  const [pattern, setPattern] = useState(props.name ?? '{name}');
  const [find, setFind] = useState('');
  const [replacement, setReplacement] = useState('');
  const rule = { pattern, find, replacement };
  const preview = useQuery({
    queryKey: ['rename', props.selection, rule],
    queryFn: () => props.rename(rule, true),
    enabled: pattern !== '',
    gcTime: 0,
  });
  const changed = preview.data?.changed;
  const of = props.scope === 'portraits' ? 'photos' : 'heads';
  const isOne = props.name !== undefined;
  const rename = (): void =>
    attempt(async () => {
      const { changed } = await props.rename(rule, false);
      props.onClose();
      if (changed > 0) offerUndo(props.scope, t(`rename.${of}.done`, { count: changed }), props.undo);
    });
  return (
    <MountedModal
      onClose={props.onClose}
      title={t(isOne ? 'rename.one' : 'rename.title')}
      size={560}
      closeButtonProps={{ 'aria-label': t('app:actions.close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          rename();
        }}
      >
        <TextInput
          data-autofocus
          label={t(isOne ? 'rename.name' : 'rename.pattern')}
          value={pattern}
          maxLength={200}
          error={preview.error?.message}
          onChange={({ currentTarget }) => setPattern(currentTarget.value)}
        />
        <div className={classes.parts}>
          {(isOne ? [] : props.parts).map((part) => (
            <UnstyledButton key={part} className={classes.part} onClick={() => setPattern(pattern + part)}>
              <Code>{part}</Code>
            </UnstyledButton>
          ))}
        </div>
        {!isOne && (
          <Group grow gap="sm" mb="sm">
            <TextInput
              label={t('rename.find')}
              value={find}
              maxLength={200}
              onChange={({ currentTarget }) => setFind(currentTarget.value)}
            />
            <TextInput
              label={t('rename.replacement')}
              value={replacement}
              maxLength={200}
              disabled={find === ''}
              onChange={({ currentTarget }) => setReplacement(currentTarget.value)}
            />
          </Group>
        )}
        {preview.data && !isOne && (
          <>
            <dl className={classes.names} aria-live="polite">
              {preview.data.names.slice(0, maxShown).map(({ id, from, to }) => (
                <div key={id}>
                  <dt>{from}</dt>
                  <dd>{to}</dd>
                </div>
              ))}
            </dl>
            {preview.data.total > maxShown && (
              <Text size="xs" c="dimmed">
                {t('rename.more', { count: preview.data.total - maxShown })}
              </Text>
            )}
          </>
        )}
        {preview.isError && <Callout tone="bad">{preview.error.message}</Callout>}
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={props.onClose}>
            {t('app:actions.cancel')}
          </Button>
          {/* One head needs no preview: Enter right after the last letter must not be lost. */}
          <Button
            type="submit"
            disabled={pattern === '' || preview.isError || (isOne ? changed === 0 : !changed)}
          >
            {changed === undefined
              ? t('bulk.rename')
              : t(changed === 0 ? 'rename.nothing' : `rename.${of}.action`, { count: changed })}
          </Button>
        </Group>
      </form>
    </MountedModal>
  );
}
