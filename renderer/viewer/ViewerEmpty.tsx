import { Relief } from '../ui/Relief.tsx';
import classes from './HeadViewer.module.css';

export function ViewerEmpty({ title, text }: { title: string; text: string }) {
  return (
    <div className={classes.empty}>
      <div className={classes.relief}>
        <Relief lines={70} />
      </div>
      <p className={classes.emptyTitle}>{title}</p>
      <p className={classes.emptyText}>{text}</p>
    </div>
  );
}
