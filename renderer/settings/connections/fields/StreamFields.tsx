import {
  Button,
  FileButton,
  NumberInput,
  SegmentedControl,
  Select,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ProfileDraft, StreamMapping } from '#contract';
import { attempt } from '../../../base/notices.tsx';
import { Section } from '../../../ui/Section.tsx';
import classes from '../Editor.module.css';

type Stream = ProfileDraft['stream'];

const timeUnits = ['seconds', 'milliseconds', 'microseconds', 'frames'] as const;

/** Message format of the server's stream: ours, or the user's own with a mapping. */
export function StreamFields(props: {
  stream: Stream;
  at: (field: string) => { error: string | undefined; 'data-field': string };
  onChange: (stream: Stream) => void;
}) {
  const { t } = useTranslation(['settings', 'app']);
  const { stream, at, onChange } = props;
  const map = (changes: Partial<StreamMapping>): void =>
    onChange({ ...stream, mapping: { ...stream.mapping, ...changes } });
  const path = (field: 'message' | 'timeCode' | 'weights' | 'names' | 'frames') => ({
    label: t(`fields.${field}`),
    description: t(`fields.${field}Note`),
    value: stream.mapping[field],
    spellCheck: false,
    onChange: ({ currentTarget }: React.ChangeEvent<HTMLInputElement>) =>
      map({ [field]: currentTarget.value }),
    ...at(`stream.mapping.${field}`),
  });
  return (
    <Section title={t('fields.stream')} note={t('fields.streamNote')}>
      <div>
        <SegmentedControl
          aria-label={t('fields.schema')}
          value={stream.schema}
          data={[
            { value: 'likeness', label: t('fields.schemaLikeness') },
            { value: 'custom', label: t('fields.schemaCustom') },
          ]}
          onChange={(schema) => onChange({ ...stream, schema })}
        />
      </div>
      {stream.schema === 'custom' && (
        <>
          <Textarea
            label={t('fields.proto')}
            description={t('fields.protoNote')}
            value={stream.proto}
            autosize
            minRows={5}
            maxRows={14}
            spellCheck={false}
            className={classes.pem}
            onChange={({ currentTarget }) => onChange({ ...stream, proto: currentTarget.value })}
            {...at('stream.proto')}
          />
          <div>
            <FileButton
              accept=".proto,text/plain"
              onChange={(file) =>
                file && attempt(async () => onChange({ ...stream, proto: await file.text() }))
              }
            >
              {(button) => (
                <Button {...button} variant="default">
                  {t('fields.protoLoad')}
                </Button>
              )}
            </FileButton>
          </div>
          <TextInput {...path('message')} />
          <Select
            label={t('fields.framing')}
            value={stream.mapping.framing}
            allowDeselect={false}
            data={[
              { value: 'length-delimited', label: t('fields.framingLengthDelimited') },
              { value: 'single', label: t('fields.framingSingle') },
            ]}
            onChange={(framing) => framing && map({ framing })}
          />
          {stream.mapping.framing === 'single' && <TextInput {...path('frames')} />}
          <TextInput {...path('timeCode')} />
          <div className={classes.row}>
            <Select
              label={t('fields.timeCodeUnit')}
              value={stream.mapping.timeCodeUnit}
              allowDeselect={false}
              data={timeUnits.map((value) => ({ value, label: t(`fields.units.${value}`) }))}
              onChange={(timeCodeUnit) => timeCodeUnit && map({ timeCodeUnit })}
            />
            <NumberInput
              label={t('fields.frameRate')}
              value={stream.mapping.frameRate}
              hideControls
              onChange={(value) => map({ frameRate: Number(value) })}
              {...at('stream.mapping.frameRate')}
            />
          </div>
          <TextInput {...path('weights')} />
          <TextInput {...path('names')} />
          <Textarea
            label={t('fields.channels')}
            description={t('fields.channelsNote')}
            value={stream.mapping.channels.join('\n')}
            autosize
            minRows={3}
            maxRows={10}
            spellCheck={false}
            className={classes.pem}
            onChange={({ currentTarget }) => map({ channels: currentTarget.value.split('\n') })}
            onBlur={() =>
              map({ channels: stream.mapping.channels.map((name) => name.trim()).filter(Boolean) })
            }
            {...at('stream.mapping.channels')}
          />
        </>
      )}
      <div>
        <div className={classes.row}>
          {(['first', 'middle', 'last'] as const).map((position) => (
            <TextInput
              key={position}
              label={`${t('fields.words')}: ${t(`fields.${position}`)}`}
              value={stream.words[position]}
              spellCheck={false}
              onChange={({ currentTarget }) =>
                onChange({ ...stream, words: { ...stream.words, [position]: currentTarget.value } })
              }
              {...at(`stream.words.${position}`)}
            />
          ))}
        </div>
      </div>
      <p className={classes.remark}>{t('fields.wordsNote')}</p>
    </Section>
  );
}
