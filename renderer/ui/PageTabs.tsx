import classes from './PageTabs.module.css';

/** The way between the parts of a place, in the header of each. */
export function PageTabs(props: {
  label: string;
  tabs: readonly { name: string; href: string; current: boolean }[];
}) {
  return (
    <nav className={classes.tabs} aria-label={props.label}>
      {props.tabs.map(({ name, href, current }) => (
        <a key={href} href={href} aria-current={current ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
