import { IconPhotoOff } from '@tabler/icons-react';
import { useState } from 'react';
import { assetUrl } from '../base/asset-url.ts';

/** A photo, small. One that can't be shown is known by its id: another in its place is tried by itself. */
export function PhotoPicture({ id, check, size = 20 }: { id: string; check?: string; size?: number }) {
  const [unreadable, setUnreadable] = useState<string>();
  if (unreadable === id) return <IconPhotoOff size={size} stroke={1.3} data-check={check} aria-hidden />;
  return (
    <img
      // Of another key: the picture of before is not seen until its own has come.
      key={id}
      src={assetUrl(id, 'photo-small')}
      alt=""
      decoding="async"
      draggable={false}
      data-check={check}
      onError={() => setUnreadable(id)}
    />
  );
}
