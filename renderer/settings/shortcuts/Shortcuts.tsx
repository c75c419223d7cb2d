import { ActionIcon, Button, Checkbox, Kbd, TextInput, Tooltip } from '@mantine/core';
import { IconRestore, IconSearch, IconX } from '@tabler/icons-react';
import { Fragment, type KeyboardEvent, type MouseEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useActionWords } from '../../base/actions.ts';
import { pressed } from '../../base/keyboard.ts';
import { attempt, offerUndo } from '../../base/notices.tsx';
import { printKey } from '../../base/shortcuts/shortcuts.ts';
import { keyOf, tableKeyOf } from '../../live/live-keys.ts';
import { KeyField } from '../../ui/KeyField.tsx';
import { Section } from '../../ui/Section.tsx';
import { Page } from '../Page.tsx';
import classes from './Shortcuts.module.css';
import {
  canHave,
  conflictsOf,
  hasModifier,
  isChanged,
  type ShortcutRow,
  type ShortcutRows,
  setKeys,
  useShortcutList,
} from './shortcut-list.ts';

/** A key that can’t be taken as it is: it has another action, or is needed elsewhere. */
interface Refused {
  id: string;
  key: string;
  /** Empty: lists and fields need the key. */
  others: readonly ShortcutRow[];
}

/** All shortcuts: searched by name or key, changed, reset. */
export function Shortcuts() {
  const { t } = useTranslation(['settings', 'app']);
  const { labelOf } = useActionWords();
  const groups = useShortcutList();
  const [text, setText] = useState('');
  const [onlyChanged, setOnlyChanged] = useState(false);
  const [refused, setRefused] = useState<Refused>();
  const all = groups.flatMap(({ rows }) => rows);
  const changed = all.filter(isChanged);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = groups
    .map(({ rows, ...group }) => ({
      ...group,
      rows: rows.filter((row) => {
        const found = [labelOf(group.title), row.name, ...row.keys.map(printKey)].join(' ').toLowerCase();
        return words.every((word) => found.includes(word)) && (!onlyChanged || isChanged(row));
      }),
    }))
    .filter(({ rows }) => rows.length > 0);
  /** Changes shortcuts and reports it, with undo. */
  const change = (
    title: string,
    changes: readonly (readonly [ShortcutRow, readonly string[] | null])[],
  ): void =>
    attempt(async () => {
      setRefused(undefined);
      const before = changes.map(([row]) => [row, isChanged(row) ? row.keys : null] as const);
      await setKeys(changes);
      offerUndo('settings', title, () => attempt(() => setKeys(before)));
    });
  const take = (row: ShortcutRow, key: string, from: readonly ShortcutRow[] = []): void =>
    change(t('shortcuts.changed', { name: row.name, key: printKey(key) }), [
      [row, [key]],
      ...from.map((other) => [other, other.keys.filter((its) => its !== key)] as const),
    ]);
  const onKey = (row: ShortcutRow, event: KeyboardEvent): boolean => {
    const isPlain = row.isPlain && !event.ctrlKey && !event.metaKey && !event.altKey;
    const key = isPlain ? tableKeyOf(keyOf(event)) : pressed(event.nativeEvent);
    const others = canHave(row, key) ? conflictsOf(groups, row, key) : [];
    if (canHave(row, key) && others.length === 0) take(row, key);
    else setRefused({ id: row.id, key, others });
    return true;
  };
  return (
    <Page
      title={t('sections.shortcuts')}
      intro={t('shortcuts.intro')}
      actions={
        <Button
          variant="default"
          disabled={changed.length === 0}
          onClick={() =>
            change(
              t('shortcuts.allReset', { count: changed.length }),
              changed.map((row) => [row, null]),
            )
          }
        >
          {t('shortcuts.resetAll')}
        </Button>
      }
    >
      <div className={classes.search}>
        <TextInput
          className={classes.field ?? ''}
          aria-label={t('shortcuts.search')}
          placeholder={t('shortcuts.search')}
          leftSection={<IconSearch size={16} />}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Checkbox
          label={t('shortcuts.onlyChanged', { count: changed.length })}
          checked={onlyChanged}
          onChange={({ currentTarget }) => setOnlyChanged(currentTarget.checked)}
        />
      </div>
      {shown.map(({ group, title, rows }) => (
        <Section key={group} title={labelOf(title)}>
          <ul className={classes.rows}>
            {rows.map((row) => (
              <li key={row.id} className={classes.row}>
                <Row
                  row={row}
                  onKey={(event) => onKey(row, event)}
                  onRemove={() => change(t('shortcuts.removed', { name: row.name }), [[row, []]])}
                  onReset={() => reset(row)}
                />
                {refused?.id === row.id && (
                  <Refusal
                    refused={refused}
                    row={row}
                    groups={groups}
                    onTake={() => take(row, refused.key, refused.others)}
                    onClose={() => setRefused(undefined)}
                  />
                )}
              </li>
            ))}
          </ul>
        </Section>
      ))}
      {shown.length === 0 && <p className={classes.none}>{t('shortcuts.nothing')}</p>}
    </Page>
  );

  /** Back to the default, unless another action has that key now. */
  function reset(row: ShortcutRow): void {
    const taken = row.defaults.find((key) => conflictsOf(groups, row, key).length > 0);
    if (taken === undefined) change(t('shortcuts.reset', { name: row.name }), [[row, null]]);
    else setRefused({ id: row.id, key: taken, others: conflictsOf(groups, row, taken) });
  }
}

function Row(props: {
  row: ShortcutRow;
  onKey: (event: KeyboardEvent) => boolean;
  onRemove: () => void;
  onReset: () => void;
}) {
  const { t } = useTranslation(['settings', 'live']);
  const { row } = props;
  const { name, keys } = row;
  const shown = keys.length > 0 && (
    <span className={classes.keys}>
      {keys.map((key) => (
        <Fragment key={key}>
          <Kbd size="xs">{printKey(key)}</Kbd>{' '}
        </Fragment>
      ))}
    </span>
  );
  return (
    <>
      <span className={classes.name}>{name}</span>
      {row.isFixed ? (
        <Tooltip label={t('shortcuts.fixed')}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what it says must be reached by keyboard, too */}
          <span className={classes.fixed} tabIndex={0}>
            {shown}
          </span>
        </Tooltip>
      ) : (
        <>
          <KeyField
            label={t('live:keys.of', {
              action: name,
              key: keys.length > 0 ? keys.map(printKey).join(' ') : t('live:keys.none'),
            })}
            shown={shown}
            onKey={props.onKey}
          />
          {keys.length > 0 && (
            <IconButton
              className={classes.remove}
              label={t('shortcuts.remove', { name })}
              onClick={props.onRemove}
              icon={<IconX size={15} />}
            />
          )}
          {isChanged(row) && (
            <IconButton
              className={classes.reset}
              label={t('shortcuts.resetOne', { name, key: row.defaults.map(printKey).join(', ') })}
              onClick={props.onReset}
              icon={<IconRestore size={15} />}
            />
          )}
        </>
      )}
    </>
  );
}

/** A press of a button that goes away: it leaves the focus on the row's key. */
const leaving =
  (act: () => void) =>
  ({ currentTarget }: MouseEvent<HTMLButtonElement>): void => {
    currentTarget.closest('li')?.querySelector('button')?.focus();
    act();
  };

function IconButton(props: {
  label: string;
  className: string | undefined;
  icon: React.ReactNode;
  onClick: () => void;
}) {
  return (
    <Tooltip label={props.label}>
      <ActionIcon
        size={24}
        className={props.className ?? ''}
        aria-label={props.label}
        onClick={leaving(props.onClick)}
      >
        {props.icon}
      </ActionIcon>
    </Tooltip>
  );
}

function Refusal(props: {
  refused: Refused;
  row: ShortcutRow;
  groups: readonly ShortcutRows[];
  onTake: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation(['settings', 'app']);
  const { labelOf } = useActionWords();
  const { row, groups } = props;
  const { key, others } = props.refused;
  const titleOf = ({ group }: ShortcutRow): string =>
    labelOf(groups.find((one) => one.group === group)?.title ?? 'shortcuts.anywhere');
  const [first] = others;
  const canTake = first !== undefined && others.every(({ isFixed, keys }) => !isFixed && keys.includes(key));
  return (
    <div className={classes.refused} role="alert">
      <span>
        {first
          ? t('shortcuts.conflict', {
              key: printKey(key),
              name: first.name,
              page: titleOf(first),
              count: others.length - 1,
            })
          : t(row.isPlain && hasModifier(key) ? 'shortcuts.singleOnly' : 'shortcuts.reserved', {
              key: printKey(key),
            })}
      </span>
      {canTake && (
        <Button size="compact-sm" variant="default" onClick={leaving(props.onTake)}>
          {t('shortcuts.useHere')}
        </Button>
      )}
      <Button size="compact-sm" variant="subtle" color="gray" onClick={leaving(props.onClose)}>
        {t('app:actions.cancel')}
      </Button>
    </div>
  );
}
