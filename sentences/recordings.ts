export const recordingsSentences = {
  'recording.engine_ended': {
    en: 'The engine ended {times} times while it worked on this recording.',
    zh: '引擎在处理此录音时退出了 {times} 次。',
  },
  'recording.engine_unreadable': {
    en: 'What the engine answered about this recording can’t be read (HTTP {status}).',
    zh: '无法读取引擎对此录音的回答（HTTP {status}）。',
  },
  'recording.cut_off': {
    en: 'The engine ended while it answered about this recording.',
    zh: '引擎在回答此录音的请求时退出。',
  },
  'recording.not_kept': {
    en: 'The engine no longer keeps this recording; it has to be heard again.',
    zh: '引擎已不再保留此录音，需要重新听取。',
  },
} as const;
