export const en = {
  open: 'Open the microphone',
  close: 'Close the microphone',
  opening: 'Waiting for the microphone',
  microphone: 'Microphone',
  device: 'Input',
  defaultDevice: 'System default',
  unnamed: 'Microphone {{number}}',
  level: 'Level',
  levelValue: '{{decibels}} dBFS',
  silence: 'Silence',
  clip: 'Clip',
  clipReset: 'Clipping: the input was too loud. Click to reset.',
  clipNone: 'No clipping',
  rate: '{{kilohertz}} kHz, {{channels}}',
  channels_one: 'mono',
  channels_other: '{{count}} channels',
  idleTitle: 'Say your first word',
  idleText:
    'Open the microphone and speak. Sound is measured here in this window; it is neither stored nor sent.',
  hearing: 'Your voice arrives.',
  waiting: 'Speak now. If nothing moves, choose another input or turn its level up in the system.',
  notYet: 'The head does not move with your voice in this build yet.',
  head: 'Head',
  failures: {
    denied: {
      title: 'The microphone is not permitted',
      text: 'Allow it for Likeness Studio in the system’s privacy settings (in a browser tab: the lock beside the address), then open it again.',
    },
    none: {
      title: 'There is no microphone',
      text: 'Plug one in, or choose one in the system’s sound settings, then open it again.',
    },
    busy: {
      title: 'The microphone is taken',
      text: 'Another program holds it. Close that program, or choose another input.',
    },
    lost: {
      title: 'The microphone was unplugged',
      text: 'Plug it in again or choose another input, then open it.',
    },
    unsupported: {
      title: 'Sound can’t be opened here',
      text: '{{reason}}',
    },
  },
} as const;
