import type { AlignedWord } from '@likeness/proto/speech/speech_alignment.ts';
import { Button, Menu } from '@mantine/core';
import { IconFlag3 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../../base/text/number-format.ts';
import classes from './WordLanes.module.css';

/** Where the sound disagrees with the words: a list that leads there. */
export function FlaggedWords(props: { words: readonly AlignedWord[]; onChoose: (index: number) => void }) {
  const { t } = useTranslation('takes');
  const { seconds } = useFigures();
  const { words, onChoose } = props;
  const flagged = words.flatMap(({ flag, text, start }, index) =>
    flag ? [{ flag, text, start, index }] : [],
  );
  if (flagged.length === 0) return null;
  return (
    <Menu position="top-start" width={340}>
      <Menu.Target>
        <Button variant="default" className={classes.differ ?? ''} leftSection={<IconFlag3 size={15} />}>
          {t('speech.differ', { count: flagged.length })}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.flagged ?? ''}>
        {flagged.map(({ flag, text, start, index }) => (
          <Menu.Item key={index} onClick={() => onChoose(index)}>
            {seconds(start)} · {t(`speech.expected.${flag}`, { word: text })}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
