import type { FaceMaker } from './face_maker.ts';
import type { HeadMaker } from './head_maker.ts';

/** The portrait part behind the host's interface. Null while this build has none. */
export const loadHeadMaker: (() => Promise<HeadMaker>) | null = null;

/** The speech part behind the host's interface. Null while this build has none. */
export const loadFaceMaker: (() => Promise<FaceMaker>) | null = null;
