import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconArrowLeft, IconColumns2, IconFlag, IconThumbDown, IconX } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Model } from '#contract';
import { useActions } from '../../base/actions.ts';
import { assetUrl } from '../../base/asset-url.ts';
import { attempt } from '../../base/notices.tsx';
import { go } from '../../base/route.ts';
import { useKeyNames, withKey } from '../../base/shortcuts/shortcuts.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Stars } from '../../ui/Stars.tsx';
import { HeadViewerOnDemand } from '../../viewer/OnDemand.tsx';
import { ViewLink } from '../../viewer/view-link.ts';
import { edit } from '../edits.ts';
import { type HeadsAt, headActions, maxCompared, pageActions } from '../head-actions.ts';
import { useModel } from '../library-queries.ts';
import classes from './Compare.module.css';

/** Two to four heads side by side, turned together: which is the better one. */
export function Compare({ ids }: { ids: readonly string[] }) {
  const { t } = useTranslation('library');
  const link = useMemo(() => new ViewLink(), []);
  const [active, setActive] = useState(0);
  const shown = ids.slice(0, maxCompared);
  const { data: model } = useModel(shown[active] ?? shown[0] ?? '');
  // Stars and flags by key are for the head that was pressed or tabbed to last.
  const at: HeadsAt | null = model
    ? {
        selection: { ids: [model.id] },
        count: 1,
        heads: [model],
        inTrash: model.trashedAt !== null,
        onPage: true,
        ask: () => undefined,
      }
    : null;
  useActions('library:compare.title', culling, at);
  useActions('library:compare.title', back, none);
  return (
    <>
      <PageHeader title={t('compare.title')} note={t('compare.text')}>
        <Button variant="default" leftSection={<IconArrowLeft size={15} />} onClick={() => go('library')}>
          {t('backToAll')}
        </Button>
      </PageHeader>
      {shown.length < 2 ? (
        <EmptyState
          icon={<IconColumns2 size={44} stroke={1.1} />}
          title={t('compare.title')}
          text={t('compare.tooFew')}
        />
      ) : (
        <div className={classes.heads} data-count={shown.length}>
          {shown.map((id, index) => (
            <Compared
              key={id}
              id={id}
              link={link}
              main={index === 0}
              active={index === active}
              onActive={() => setActive(index)}
              onRemove={() => {
                setActive(0);
                const rest = shown.filter((one) => one !== id);
                if (rest.length < 2) go('library', 'model', rest[0]!);
                else go('library', 'compare', ...rest);
              }}
            />
          ))}
        </div>
      )}
    </>
  );
}

const culled = [
  'heads.rate.',
  'heads.pick',
  'heads.reject',
  'heads.unflag',
  'heads.speak',
  'heads.undo',
  'heads.redo',
];
const culling = headActions.filter(({ id }) => culled.some((one) => id.startsWith(one)));
const back = pageActions.filter(({ id }) => id === 'page.back');
const none = { previous: undefined, next: undefined };

function Compared(props: {
  id: string;
  link: ViewLink;
  main: boolean;
  active: boolean;
  onActive: () => void;
  onRemove: () => void;
}) {
  const { t } = useTranslation('library');
  const { id, link, main, active } = props;
  const { data: model } = useModel(id);
  const name = model?.name ?? '';
  return (
    <section
      className={classes.head}
      aria-label={name}
      data-active={active || undefined}
      onFocusCapture={props.onActive}
      onPointerDownCapture={props.onActive}
    >
      <div className={classes.view}>
        <HeadViewerOnDemand url={assetUrl(id, 'model')} name={name} tools="all" link={link} main={main} />
      </div>
      <div className={classes.caption}>
        <span className={classes.name} title={name}>
          {name}
        </span>
        {model && <Culling model={model} />}
        <Tooltip label={t('compare.remove', { name })}>
          <ActionIcon aria-label={t('compare.remove', { name })} onClick={props.onRemove}>
            <IconX size={15} />
          </ActionIcon>
        </Tooltip>
      </div>
    </section>
  );
}

function Culling({ model }: { model: Model }) {
  const { t } = useTranslation('library');
  const keyOf = useKeyNames();
  const set = (changes: Parameters<typeof edit>[1]): void =>
    attempt(() => edit({ ids: [model.id] }, changes));
  return (
    <>
      <Stars rating={model.rating} onRate={(rating) => set({ rating })} />
      {(['pick', 'reject'] as const).map((flag) => {
        const Icon = flag === 'pick' ? IconFlag : IconThumbDown;
        const on = model.flag === flag;
        return (
          <Tooltip key={flag} label={withKey(t(`flags.${flag}`), keyOf(`heads.${flag}`))}>
            <ActionIcon
              variant={on ? 'light' : 'subtle'}
              color={on ? (flag === 'pick' ? 'patina' : 'crimson') : 'gray'}
              aria-label={t(`flags.${flag}`)}
              aria-pressed={on}
              onClick={() => set({ flag: on ? null : flag })}
            >
              <Icon size={15} />
            </ActionIcon>
          </Tooltip>
        );
      })}
    </>
  );
}
