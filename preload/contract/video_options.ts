/** Names and limits of film settings, without schemas, for page and main. */
export const videoFormats = ['webm', 'mp4', 'png'] as const;
export type VideoFormat = (typeof videoFormats)[number];

/** Frames a second; 29.97 is 30000/1001. */
export const videoRates = ['24', '25', '29.97', '30', '50', '60', '120'] as const;
export type VideoRate = (typeof videoRates)[number];

/** Framing of the head. */
export const videoFramings = ['bust', 'head', 'close'] as const;

/** Camera position. A turntable goes around once, from front to front. */
export const videoCameras = ['front', 'threeQuarter', 'profile', 'turntable'] as const;

/**
 * Rendering quality: `full` with light per pixel, for a graphics card; `quick` with light per vertex, several
 * times faster on the processor; `auto`: by the renderer.
 */
export const videoDetails = ['auto', 'full', 'quick'] as const;

/** How a background picture fills the film: cropped at its sides, or complete with bars. */
export const filmPictureFits = ['cover', 'contain'] as const;
export type FilmPictureFit = (typeof filmPictureFits)[number];

export const videoLimits = {
  /** Pixels a side; even, as codecs halve colours. */
  side: { least: 64, most: 3840 },
  /** Maximum bytes of one part of the file. */
  piece: 4 * 1024 * 1024,
  /** Maximum bytes in transit from the drawing page to main. */
  ahead: 16 * 1024 * 1024,
  /** Maximum frames of one film: four hours at 60 fps, two at 120. */
  frames: 864_000,
  /** Maximum number of running films. */
  films: 4,
  /** Limits of a background picture: bytes, pixels, and number. */
  picture: { bytes: 64 * 1024 * 1024, pixels: 100_000_000, kept: 8 },
} as const;

/** Transparent background; any other background is `#rrggbb`. */
export const transparent = 'transparent';

/** Background colour where none is chosen. */
export const plainBackground = '#1f2426';

const ordinary = { rate: '30', framing: 'bust', camera: 'front', background: plainBackground } as const;

/** Settings of films for a purpose, by their names on the command line. */
export const filmPresets = {
  /** For phones: shorts, reels, stories. */
  short: { ...ordinary, format: 'mp4', width: 1080, height: 1920 },
  '1080p': { ...ordinary, format: 'mp4', width: 1920, height: 1080 },
  /** A source for OBS, with the scene behind the head. */
  obs: { ...ordinary, format: 'webm', width: 1920, height: 1080, background: transparent },
} as const;
export const filmPresetNames = ['short', '1080p', 'obs'] as const satisfies (keyof typeof filmPresets)[];
