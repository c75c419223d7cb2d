import { Button } from '@mantine/core';
import { IconMovie } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt } from '../../base/notices.tsx';
import { FilmDialog } from './FilmDialog.tsx';
import { type FilmedTake, filming, takesToFilm } from './filming.ts';

/** Films several takes one after the other, each on the head that it was made with. */
export function FilmSeveralButton({ ids }: { ids: readonly string[] }) {
  const { t } = useTranslation('takes');
  const [takes, setTakes] = useState<readonly FilmedTake[] | null>(null);
  const isFilming = filming.use((now) => now !== null);
  const open = (): void => attempt(async () => setTakes(await takesToFilm(ids)));
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconMovie size={15} />}
        disabled={isFilming}
        title={isFilming ? t('film.busy') : ''}
        onClick={open}
      >
        {t('film.several')}
      </Button>
      {takes && <FilmDialog takes={takes} onClose={() => setTakes(null)} />}
    </>
  );
}
