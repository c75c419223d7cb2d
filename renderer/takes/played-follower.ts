/** Decides when the sender of a take needs the player's position. */

/** Seconds by which what is sent may be beside what is heard before it is moved. */
const tolerance = 0.03;
/** Milliseconds between two moves, at least, and at most while it plays: two clocks drift. */
const minPause = 50;
const maxPause = 2000;

/** Where a player is in seconds that play, and how fast it goes on. */
export interface PlaybackPosition {
  seconds: number;
  speed: number;
}

/** Decides when to report the player's position to the sender. Times are milliseconds. */
export class PlayedFollower {
  #last: { position: PlaybackPosition; at: number } | null = null;

  /** Returns true if the position must be reported, and records it as reported. */
  isAway(position: PlaybackPosition, at: number): boolean {
    const last = this.#last;
    if (last) {
      const passed = at - last.at;
      const expected = last.position.seconds + (passed / 1000) * last.position.speed;
      const isBeside = Math.abs(position.seconds - expected) > tolerance;
      const isOther = position.speed !== last.position.speed;
      const isOld = position.speed > 0 && passed > maxPause;
      if (!(isOther || isOld) && (!isBeside || passed < minPause)) return false;
    }
    this.#last = { position, at };
    return true;
  }
}
