import { useTranslation } from 'react-i18next';

/** Seconds as a person says them: exact while short, rounded while long. */
export function useDuration(): (seconds: number) => string {
  const { t } = useTranslation('portraits');
  return (seconds) => {
    if (seconds < 1) return t('duration.moment');
    if (seconds < 90) return t('duration.seconds', { count: Math.round(seconds) });
    const minutes = Math.round(seconds / 60);
    if (minutes < 90) return t('duration.minutes', { count: minutes });
    return t('duration.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
  };
}
