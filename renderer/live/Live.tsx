import { useTranslation } from 'react-i18next';
import { PlaceHeader } from '../ui/PlaceHeader.tsx';

export function Live() {
  const { t } = useTranslation();
  return <PlaceHeader title={t('places.live')} />;
}
