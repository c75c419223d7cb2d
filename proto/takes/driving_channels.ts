/**
 * Positions of the channels that move a head. A face that has ARKit's channels and visemes is shown by the first alone,
 * as the two together would open the mouth twice.
 */
export function drivingChannels(channelNames: readonly string[]): number[] {
  const hasArkit = channelNames.includes('jawOpen');
  return [...channelNames.keys()].filter(
    (channel) => !hasArkit || !channelNames[channel]!.startsWith('viseme_'),
  );
}
