import { useFigures } from '../base/text/number-format.ts';
import classes from './PageTabs.module.css';

/** The way between the parts of a place, in the header of each. */
export function PageTabs(props: {
  label: string;
  /** `count`: how much waits there; nothing is shown for none. */
  tabs: readonly { name: string; href: string; current: boolean; count?: number }[];
}) {
  const figures = useFigures();
  return (
    <nav className={classes.tabs} aria-label={props.label}>
      {props.tabs.map(({ name, href, current, count = 0 }) => (
        <a key={href} href={href} aria-current={current ? 'page' : undefined}>
          {name}
          {count > 0 && <span className={classes.count}>{figures.number(count)}</span>}
        </a>
      ))}
    </nav>
  );
}
