import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { go, useRoute } from '../base/route.ts';
import { DropArea } from '../ui/DropArea.tsx';
import { useFollowedBatch } from './batch-state.ts';
import { Board } from './board/Board.tsx';
import { OutlineEditor } from './outline/OutlineEditor.tsx';
import { addFiles, usePhotoPicker } from './tray/pick.tsx';
import { ReviewPage } from './tray/ReviewPage.tsx';

/** From a folder of photos to heads: gather, say what they are, check, make, all on one board. */
export function Portraits() {
  const { t } = useTranslation('portraits');
  const { rest } = useRoute();
  const picker = usePhotoPicker();
  const { ready, pickFiles, pickFolder } = picker;
  useFollowedBatch();

  const pick = rest[0] === 'pick' ? pickFiles : rest[0] === 'pick-folder' ? pickFolder : undefined;
  useEffect(() => {
    if (!pick || !ready) return;
    pick(); // the click that led here still counts as the person's
    go('portraits');
  }, [pick, ready]);

  return (
    <DropArea label={t('dropHere')} onFiles={addFiles}>
      {picker.inputs}
      {rest[0] === 'review' ? (
        <ReviewPage start={rest[1] ?? '0'} crop={rest[2] === 'crop'} />
      ) : rest[0] === 'outline' && rest[1] ? (
        <OutlineEditor photoId={rest[1]} />
      ) : (
        <Board onPickFiles={pickFiles} onPickFolder={pickFolder} />
      )}
    </DropArea>
  );
}
