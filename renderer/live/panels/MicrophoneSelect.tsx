import { Select } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../../base/text/number-format.ts';
import { changeLive, useLiveSettings } from '../live-settings.ts';
import { useSound } from '../sound-source.ts';

/** Inputs by id; their names are known only once a microphone was permitted. */
function useInputs(asked: unknown): MediaDeviceInfo[] {
  const [inputs, setInputs] = useState<MediaDeviceInfo[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: names change when the microphone's state does
  useEffect(() => {
    const refresh = (): void => {
      navigator.mediaDevices
        ?.enumerateDevices()
        .then((devices) => setInputs(devices.filter(({ kind }) => kind === 'audioinput')))
        .catch(() => setInputs([]));
    };
    refresh();
    navigator.mediaDevices?.addEventListener('devicechange', refresh);
    return () => navigator.mediaDevices?.removeEventListener('devicechange', refresh);
  }, [asked]);
  return inputs;
}

/** The microphone that Live begins with, on its own screen and in the settings. */
export function MicrophoneSelect({ onChange }: { onChange?: () => void }) {
  const { t } = useTranslation('live');
  const { number } = useFigures();
  const { deviceId, deviceLabel } = useLiveSettings();
  const inputs = useInputs(useSound().kind);
  const named = inputs.filter((input) => input.deviceId !== '' && input.deviceId !== 'default');
  // One that has another id now is chosen by its name.
  const chosen =
    named.find((input) => input.deviceId === deviceId) ??
    named.find(({ label }) => label !== '' && label === deviceLabel);
  const isAway = deviceId !== '' && !chosen;
  return (
    <Select
      label={t('device')}
      value={chosen?.deviceId ?? deviceId}
      allowDeselect={false}
      data={[
        { value: '', label: t('defaultDevice') },
        ...named.map(({ deviceId: value, label }, index) => ({
          value,
          label: label || t('unnamed', { number: number(index + 1) }),
        })),
        ...(isAway
          ? [
              {
                value: deviceId,
                // Before the first permission nobody knows what is there.
                label:
                  named.length > 0
                    ? t('deviceAway', { name: deviceLabel || t('unnamed', { number: '' }).trim() })
                    : deviceLabel || t('device'),
              },
            ]
          : []),
      ]}
      onChange={(id) => {
        changeLive({
          deviceId: id ?? '',
          deviceLabel: named.find((input) => input.deviceId === id)?.label ?? '',
        });
        onChange?.();
      }}
    />
  );
}
