import type { Colour } from '@likeness/portrait/texture/skin_texture.ts';

/** sRGB, 0..255. */
export interface DrawnColours {
  readonly skin: Colour;
  readonly hair: Colour;
  readonly iris: Colour;
  /** 0..1: a shaven beard's shadow; none when absent. */
  readonly stubble?: number;
  /** How much of pores and of the skin's unevenness is drawn, 1 when absent. */
  readonly pores?: number;
  /** How red cheeks and nose are, 1 when absent. */
  readonly blush?: number;
}

export const neutralColours: DrawnColours = {
  skin: [208, 162, 138],
  hair: [70, 52, 41],
  iris: [104, 82, 58],
};
