import { Tooltip, UnstyledButton } from '@mantine/core';
import { IconCommand } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { attempt } from '../base/notices.tsx';
import { openPalette } from '../base/overlays.ts';
import { address, type Page } from '../base/route.ts';
import { useKeyNames, withKey } from '../base/shortcuts/shortcuts.ts';
import { changeSettings } from '../base/studio-queries.ts';
import { pageIcons } from './page-icons.ts';
import classes from './Rail.module.css';

const work = ['portraits', 'library', 'live', 'takes'] as const;
const studioPages = ['activity', 'settings'] as const;

export function Rail({ page }: { page: Page | undefined }) {
  const { t } = useTranslation();
  const keyOf = useKeyNames();
  return (
    <div className={classes.rail}>
      <Mark />
      <nav aria-label={t('nav.main')} className={classes.group}>
        {work.map((name) => (
          <Item key={name} name={name} current={name === page} />
        ))}
      </nav>
      <div className={classes.space} />
      <nav aria-label={t('nav.more')} className={classes.group}>
        <Tooltip label={withKey(t('palette.open'), keyOf('studio.palette'))} position="right">
          <UnstyledButton className={classes.small} aria-label={t('palette.open')} onClick={openPalette}>
            <IconCommand size={19} stroke={1.6} />
          </UnstyledButton>
        </Tooltip>
        {studioPages.map((name) => (
          <Item key={name} name={name} current={name === page} />
        ))}
      </nav>
    </div>
  );
}

function Item({ name, current }: { name: Page; current: boolean }) {
  const { t } = useTranslation();
  const Icon = pageIcons[name];
  const key = useKeyNames()(`go.${name}`);
  return (
    <Tooltip label={key.split(' ').join(` ${t('shortcuts.afterwards')} `)} position="right">
      <a
        href={address(name)}
        className={classes.item}
        aria-current={current ? 'page' : undefined}
        onClick={() => attempt(() => changeSettings({ welcomed: true }))}
      >
        <Icon size={22} stroke={1.5} aria-hidden />
        <span>{t(`pages.${name}`)}</span>
      </a>
    </Tooltip>
  );
}

/** The studio's mark: a face in six contour lines. Leads back to the first steps. */
function Mark() {
  const { t } = useTranslation();
  return (
    <Tooltip label={t('nav.welcome')} position="right">
      <UnstyledButton
        className={classes.mark}
        aria-label={t('nav.welcome')}
        onClick={() => attempt(() => changeSettings({ welcomed: false }))}
      >
        <svg viewBox="6 4 20 24" width="27" height="32" aria-hidden="true">
          <g fill="none" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round">
            <path d="M12.6 6.8q3.4-1.4 6.8 0" />
            <path d="M10 10.6q6-2.2 12 0" />
            <path d="M9.4 14.4c2.4-.2 3.4-.2 4.8.2 1.2-2.4 2.4-2.4 3.6 0 1.4-.4 2.4-.4 4.8-.2" />
            <path d="M10 18.2c2.4 0 3.4 0 4.4.2 1-1.8 2.2-1.8 3.2 0 1-.2 2-.2 4.4-.2" />
            <path d="M11.4 22c2.2.300 3-.6 4.6.1 1.6-.7 2.4.2 4.6-.1" />
            <path d="M13.6 25.6q2.4.9 4.8 0" />
          </g>
        </svg>
      </UnstyledButton>
    </Tooltip>
  );
}
