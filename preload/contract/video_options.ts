/** What a film of a take can be: names and bounds, without schemas, for the page and main alike. */
export const videoFormats = ['webm', 'mp4', 'png'] as const;
export type VideoFormat = (typeof videoFormats)[number];

/** Frames a second; 29.97 is 30000/1001. */
export const videoRates = ['24', '25', '29.97', '30', '50', '60', '120'] as const;
export type VideoRate = (typeof videoRates)[number];

/** What of the head fills the picture. */
export const videoFramings = ['bust', 'head', 'close'] as const;

/** From where it is seen. A turntable goes once around it, from the front to the front. */
export const videoCameras = ['front', 'threeQuarter', 'profile', 'turntable'] as const;

/**
 * How finely it is drawn: `full` as a graphics card does, each pixel with its own light; `quick` with light at the
 * vertices, several times faster where the processor draws; `auto`: by what draws.
 */
export const videoDetails = ['auto', 'full', 'quick'] as const;

/** How a picture behind the head fills the film's: cut off at its sides, or all of it between bars. */
export const filmPictureFits = ['cover', 'contain'] as const;
export type FilmPictureFit = (typeof filmPictureFits)[number];

export const videoLimits = {
  /** Pixels a side; even, as codecs halve colours. */
  side: { least: 64, most: 3840 },
  /** Bytes of one piece on its way to the file. */
  piece: 4 * 1024 * 1024,
  /** Bytes that the drawing page sends before main has written them. */
  ahead: 16 * 1024 * 1024,
  /** Frames of one film: four hours at 60 a second, two at 120. */
  frames: 864_000,
  /** Films under way at once. */
  films: 4,
  /** A picture behind the head: bytes, pixels, and how many are kept. */
  picture: { bytes: 64 * 1024 * 1024, pixels: 100_000_000, kept: 8 },
} as const;

/** Nothing behind the head; any other background is `#rrggbb`. */
export const transparent = 'transparent';
