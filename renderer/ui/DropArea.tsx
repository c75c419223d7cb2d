import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { attempt } from '../base/notices.tsx';
import { useAppInfo } from '../base/studio-queries.ts';
import classes from './DropArea.module.css';
import { filesOf } from './dropped-files.ts';

const carriesFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

/** An area that accepts dropped files anywhere. Buttons inside do the same for the keyboard. */
export function DropArea(props: {
  label: string;
  /** Folders are opened here; otherwise Electron hands them on whole. */
  opensFolders?: boolean;
  onFiles: (files: File[]) => unknown;
  children: ReactNode;
}) {
  const inElectron = useAppInfo().data?.shell === 'electron';
  const [over, setOver] = useState(false);
  // Enter and leave come for each part inside, too.
  const depth = useRef(0);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a mouse's way; the buttons inside are everyone's
    <div
      className={classes.area}
      onDragEnter={(event) => {
        if (!carriesFiles(event)) return;
        depth.current += 1;
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!carriesFiles(event)) return;
        depth.current -= 1;
        if (depth.current === 0) setOver(false);
      }}
      onDragOver={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      }}
      onDrop={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        depth.current = 0;
        setOver(false);
        const files = filesOf(event.dataTransfer, inElectron && !props.opensFolders);
        attempt(async () => props.onFiles(await files));
      }}
    >
      {props.children}
      {over && (
        <div className={classes.over} aria-hidden="true">
          {props.label}
        </div>
      )}
    </div>
  );
}
