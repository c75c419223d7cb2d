export const en = {
  label: 'Head, in three dimensions. Arrows turn it, plus and minus move closer and away, 0 shows all of it.',
  loading: 'Loading the head',
  missingTitle: 'The default head is not in this build',
  missingText: 'It comes with the portrait engine. Until then there is nothing to show here.',
  failedTitle: 'The head could not be shown',
  noWebglTitle: 'This machine can’t draw in three dimensions',
  noWebglText:
    'WebGL 2 is switched off or has no driver. Everything but the view of the head works without it.',
  lostTitle: 'The graphics driver was restarted',
  lostText: 'The view of the head was lost with it.',
  again: 'Show it again',
  light: 'Light',
  lights: { studio: 'Studio', soft: 'Soft', window: 'Window', edge: 'Edge' },
  frame: 'Show the whole head',
} as const;
