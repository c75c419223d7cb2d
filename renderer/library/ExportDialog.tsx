import { Button, Group, Modal, Radio, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { channelNames, exportFormats } from '#contract';
import { assetUrl } from '../app/asset-url.ts';
import { useFigures } from '../app/figures.ts';
import { attempt, tell } from '../app/notices.tsx';
import { studio } from '../app/studio.ts';
import type { ModelSelection } from './model-list.ts';

type Format = (typeof exportFormats)[number];
type Names = (typeof channelNames)[number];

/** Takes heads out of the studio, in the form that the next program wants. */
export function ExportDialog(props: { selection: ModelSelection; count: number; onClose: () => void }) {
  const { t } = useTranslation(['library', 'app']);
  const figures = useFigures();
  const [format, setFormat] = useState<Format>('glb');
  const [names, setNames] = useState<Names>('as-is');
  const [busy, setBusy] = useState(false);
  // Of one head a zip has nothing to hold together.
  const formats = exportFormats.filter((one) => one !== 'zip' || props.count > 1);
  const save = (): void => {
    setBusy(true);
    attempt(async () => {
      try {
        const { exportId, fileName, bytes } = await studio.library.exportModels({
          selection: props.selection,
          format,
          names: format === 'obj' ? 'as-is' : names,
        });
        const link = document.createElement('a');
        link.href = assetUrl(exportId, 'export');
        link.download = fileName;
        link.click();
        props.onClose();
        tell({
          level: 'success',
          title: t('export.done', { name: fileName }),
          text: figures.bytes(bytes),
        });
      } finally {
        setBusy(false);
      }
    });
  };
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={t('export.title', { count: props.count })}
      size={480}
      closeButtonProps={{ 'aria-label': t('app:actions.close') }}
    >
      <Stack gap="md">
        <Radio.Group
          label={t('export.format')}
          value={format}
          onChange={(value) => setFormat(value as Format)}
        >
          <Stack gap={10} mt={8}>
            {formats.map((one) => (
              <Radio
                key={one}
                value={one}
                label={t(`export.formats.${one}.label`)}
                description={t(`export.formats.${one}.text`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        {format !== 'obj' && (
          <Select
            label={t('export.names')}
            description={t('export.namesNote')}
            value={names}
            allowDeselect={false}
            data={channelNames.map((value) => ({ value, label: t(`export.channelNames.${value}`) }))}
            onChange={(value) => setNames((value as Names | null) ?? 'as-is')}
          />
        )}
      </Stack>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={props.onClose}>
          {t('app:actions.cancel')}
        </Button>
        <Button loading={busy} onClick={save}>
          {t('export.action')}
        </Button>
      </Group>
    </Modal>
  );
}
