/** Messages about unreadable or left-out parts of sounds and scripts. */
export const scriptSentences = {
  'takes.no_ffmpeg_for_wav': {
    en: '“{file}” is a WAV file in an encoding that ffmpeg has to read, and ffmpeg is not installed.',
    zh: '“{file}”是需由 ffmpeg 读取其编码的 WAV 文件，而未安装 ffmpeg。',
  },
  'script.left_out_untimed': {
    en: '“{file}”: left out, because no time stands above it: {what}.',
    zh: '“{file}”：以下内容上方没有时间，已略去：{what}。',
  },
  'script.left_out_noise': {
    en: '“{file}”: left out as marks of noise: {what}.',
    zh: '“{file}”：以下噪声标记已略去：{what}。',
  },
  'script.left_out_no_label': {
    en: '“{file}”: left out, because these lines are not labels with times: {what}.',
    zh: '“{file}”：以下行不是带时间的标注，已略去：{what}。',
  },
  'script.left_out_tier': {
    en: '“{file}”: tiers that were not read: {what}.',
    zh: '“{file}”：未读取的层：{what}。',
  },
  'script.left_out_unspoken': {
    en: '“{file}”: left out as not spoken: {what}.',
    zh: '“{file}”：以下非台词内容已略去：{what}。',
  },
  'script.several_beside': {
    en: 'Several files have the words of “{file}”, and none was used: {scripts}. Name one with --words.',
    zh: '“{file}”有多个台词文件，均未使用：{scripts}。请用 --words 指定一个。',
  },
} as const;
