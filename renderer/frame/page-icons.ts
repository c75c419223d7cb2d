import {
  IconActivity,
  IconAdjustmentsHorizontal,
  IconBooks,
  IconMicrophone,
  IconMovie,
  IconPhotoScan,
} from '@tabler/icons-react';
import type { Page } from '../base/route.ts';

/** The icon of each place. */
export const pageIcons = {
  portraits: IconPhotoScan,
  library: IconBooks,
  live: IconMicrophone,
  takes: IconMovie,
  activity: IconActivity,
  settings: IconAdjustmentsHorizontal,
} as const satisfies Record<Page, unknown>;
