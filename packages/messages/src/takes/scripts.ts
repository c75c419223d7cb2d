/** Messages about unreadable or left-out parts of sounds and scripts. */
export const scriptMessages = {
  'takes.no_ffmpeg_for_wav': {
    en: '“{file}” is a WAV file in an encoding that needs ffmpeg, and ffmpeg is not installed.',
    zh: '“{file}”是需由 ffmpeg 读取其编码的 WAV 文件，而未安装 ffmpeg。',
  },
  'script.left_out_untimed': {
    en: '“{file}”: skipped, because it has no time: {what}.',
    zh: '“{file}”：以下内容上方没有时间，已略去：{what}。',
  },
  'script.left_out_noise': {
    en: '“{file}”: skipped noise marks: {what}.',
    zh: '“{file}”：以下噪声标记已略去：{what}。',
  },
  'script.left_out_no_label': {
    en: '“{file}”: skipped lines that are not labels with times: {what}.',
    zh: '“{file}”：以下行不是带时间的标注，已略去：{what}。',
  },
  'script.left_out_tier': {
    en: '“{file}”: skipped tiers: {what}.',
    zh: '“{file}”：未读取的层：{what}。',
  },
  'script.left_out_unspoken': {
    en: '“{file}”: left out as not spoken: {what}.',
    zh: '“{file}”：以下非台词内容已略去：{what}。',
  },
  'script.several_beside': {
    en: '“{file}” has several transcripts, so none was used: {scripts}. Choose one with --words.',
    zh: '“{file}”有多个台词文件，均未使用：{scripts}。请用 --words 指定一个。',
  },
} as const;
