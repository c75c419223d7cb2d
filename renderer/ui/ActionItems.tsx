import { Menu } from '@mantine/core';
import { Fragment } from 'react';
import { type Action, canRun, useActionWords } from '../base/actions.ts';
import { printKey, useKeysOf } from '../base/shortcuts/shortcuts.ts';
import classes from './ActionItems.module.css';

/**
 * Items of a menu, from a table of actions: those that can be done now.
 *
 * @param groups - Ids, or the beginnings of ids that end in a dot; a line stands between groups.
 */
export function ActionItems<At>(props: {
  table: readonly Action<At>[];
  at: At;
  groups: readonly (readonly string[])[];
}) {
  const { labelOf } = useActionWords();
  const keysOf = useKeysOf();
  const { table, at } = props;
  const shown = props.groups
    .map((ids) =>
      ids.flatMap((id) =>
        table.filter(
          (action) => (id.endsWith('.') ? action.id.startsWith(id) : action.id === id) && canRun(action, at),
        ),
      ),
    )
    .filter((group) => group.length > 0);
  return shown.map((group, index) => (
    <Fragment key={group[0]!.id}>
      {index > 0 && <Menu.Divider />}
      {group.map((action) => {
        const Icon = action.icon;
        const [key] = keysOf(action);
        return (
          <Menu.Item
            key={action.id}
            leftSection={Icon && <Icon size={15} />}
            rightSection={key && <kbd className={classes.key}>{printKey(key)}</kbd>}
            onClick={() => action.run(at)}
            {...(action.id.includes('.erase') ? { color: 'crimson' } : {})}
          >
            {labelOf(action.words)}
          </Menu.Item>
        );
      })}
    </Fragment>
  ));
}
