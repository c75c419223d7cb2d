import { ActionIcon, Button, Group, Modal, Text, Tooltip } from '@mantine/core';
import { IconRestore, IconTrash, IconTrashX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Take } from '#contract';
import { attempt, notify } from '../base/notices.tsx';
import { studio } from '../base/studio.ts';
import { useFigures } from '../base/text/number-format.ts';
import { Confirm } from '../ui/dialogs/Confirm.tsx';
import { ToolButton } from '../ui/ToolButton.tsx';
import { restoreTake } from './list/take-marks.ts';
import takeClasses from './Takes.module.css';
import classes from './TakesTrash.module.css';

// Queried again when takes change: trashing and restoring a take changes both lists.
export const useTrashedTakes = () =>
  useQuery({ queryKey: ['takes-trash'], queryFn: () => studio.takes.trashed() });

/** The trash: restores takes or erases them for good. Hidden while it is empty. */
export const TakesTrash = memo(function TakesTrash({ isIcon = false }: { isIcon?: boolean }) {
  const { t } = useTranslation(['takes', 'app']);
  const figures = useFigures();
  const trashed = useTrashedTakes();
  const [opened, setOpened] = useState(false);
  const [takesToErase, setTakesToErase] = useState<Take[]>([]);
  const takes = trashed.data ?? [];
  const erase = async (): Promise<void> => {
    const ids = takesToErase.map(({ id }) => id);
    const { erased } =
      ids.length === takes.length ? await studio.takes.emptyTrash() : await studio.takes.erase({ ids });
    await trashed.refetch();
    notify({ level: 'success', title: t('takes:inTrash.erased', { count: erased }), text: '' });
    if (ids.length === takes.length) setOpened(false);
  };
  if (takes.length === 0) return null;
  const label = t('takes:inTrash.button', { count: takes.length });
  return (
    <>
      {isIcon ? (
        <ToolButton label={label} icon={IconTrash} onClick={() => setOpened(true)} />
      ) : (
        <Button variant="default" leftSection={<IconTrash size={16} />} onClick={() => setOpened(true)}>
          {label}
        </Button>
      )}
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={t('takes:inTrash.title')}
        size={520}
        closeButtonProps={{ 'aria-label': t('app:actions.close') }}
      >
        <Text c="dimmed" mb="md">
          {t('takes:inTrash.text')}
        </Text>
        <ul className={classes.list}>
          {takes.map((take) => (
            <li key={take.id} className={classes.take}>
              <span className={`${takeClasses.name} ${classes.wide}`}>{take.name}</span>
              <span className={takeClasses.quiet}>
                {figures.seconds(take.seconds)} · {figures.dateTime(take.createdAt)}
              </span>
              <Tooltip label={t('takes:inTrash.restore', { name: take.name })}>
                <ActionIcon
                  aria-label={t('takes:inTrash.restore', { name: take.name })}
                  onClick={() =>
                    attempt(async () => {
                      await restoreTake(take.id);
                      await trashed.refetch();
                    })
                  }
                >
                  <IconRestore size={16} />
                </ActionIcon>
              </Tooltip>
              <Tooltip label={t('takes:inTrash.erase', { name: take.name })}>
                <ActionIcon
                  aria-label={t('takes:inTrash.erase', { name: take.name })}
                  onClick={() => setTakesToErase([take])}
                >
                  <IconTrashX size={16} />
                </ActionIcon>
              </Tooltip>
            </li>
          ))}
        </ul>
        <Group justify="flex-end">
          <Button variant="default" color="crimson" onClick={() => setTakesToErase(takes)}>
            {t('takes:inTrash.empty')}
          </Button>
        </Group>
      </Modal>
      <Confirm
        opened={takesToErase.length > 0}
        title={t('takes:inTrash.confirm')}
        text={t('takes:inTrash.sure', { count: takesToErase.length })}
        action={t('takes:inTrash.confirm')}
        onConfirm={erase}
        onClose={() => setTakesToErase([])}
      />
    </>
  );
});
