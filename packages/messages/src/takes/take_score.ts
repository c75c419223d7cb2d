/** A take's scorecard: names of its figures, how they read, and what each means. */
export const takeScoreMessages = {
  'score.closures': { en: 'Closures that shut', zh: '真正闭合的闭唇' },
  'score.closures_text': {
    en: '{shut} of {count}; the widest stays {widest} mm open',
    zh: '{count} 次中 {shut} 次；最宽的一次仍张开 {widest} 毫米',
  },
  'score.closures_all_text': { en: '{shut} of {count}', zh: '{count} 次中 {shut} 次' },
  'score.closures_words': {
    en: 'Number of p, b and m in the transcript at which the lips of this head come within {most} mm of each other.',
    zh: '台词中的 p、b、m 里，此头模的双唇靠近到 {most} 毫米以内的次数。',
  },
  'score.closures_face': {
    en: 'Number of closures of the recorded face at which the lips of this head come within {most} mm of each other. With a transcript, every p, b and m counts.',
    zh: '录制的面部的闭唇里，此头模的双唇靠近到 {most} 毫米以内的次数；若提供台词，则每个 p、b、m 都会计入。',
  },
  'score.no_lips': {
    en: 'The lips of this head can’t be measured: no shape opens a mouth that is shut at rest.',
    zh: '无法测量此头模的双唇：没有形态能张开静止时闭合的嘴。',
  },
  'score.no_closures': { en: 'This take has no closures.', zh: '此录制中没有需要闭唇之处。' },
  'score.peaks': { en: 'Peaks kept', zh: '保留的峰值' },
  'score.peaks_text': { en: '{kept} of {count}', zh: '{count} 个中 {kept} 个' },
  'score.peaks_meaning': {
    en: 'Number of peaks of the recorded curves (in the parts that play) that keep at least 95% of their height after editing.',
    zh: '仍在播放的原曲线峰值里，编辑后仍保有 95% 及以上高度的个数。',
  },
  'score.no_edits': { en: 'No edits: all peaks are kept.', zh: '没有编辑：全部保留。' },
  'score.no_peaks': { en: 'The recorded face has no peaks.', zh: '录制的面部没有峰值。' },
  'score.jaw_lag': { en: 'Jaw after sound', zh: '下颌落后于声音' },
  'score.after_text': { en: '{ms} ms after it', zh: '落后 {ms} 毫秒' },
  'score.together_text': { en: 'at the same time', zh: '同时' },
  'score.before_text': { en: '{ms} ms before it', zh: '提前 {ms} 毫秒' },
  'score.jaw_lag_meaning': {
    en: 'The lag of the jaw curve behind the loudness of the audio at their best match, within 300 ms.',
    zh: '下颌曲线与声音响度最吻合时，下颌落后的时间，在 300 毫秒以内寻找。',
  },
  'score.jaw_follows': { en: 'Jaw follows sound', zh: '下颌跟随声音' },
  'score.r_text': { en: 'r = {r}', zh: 'r = {r}' },
  'score.jaw_follows_meaning': {
    en: 'Correlation of the jaw with the loudness of the audio at that lag: 1 is complete, 0 is none. Closed and rounded sounds are loud too, so 1 is not the goal.',
    zh: '在该时差下，下颌与声音响度的相关系数：1 为完全跟随，0 为完全无关；闭合与圆唇的音也响，因此 1 并非目标。',
  },
  'score.no_movement': {
    en: 'The jaw or the sound does not move, or the take is too short.',
    zh: '下颌或声音没有变化，或录制过短。',
  },
  'score.silence': { en: 'Motion in silence', zh: '静默中的动作' },
  'score.silence_text': {
    en: '{share} of the speed in speech, in {seconds} s of silence',
    zh: '为说话时速度的 {share}，静默共 {seconds} 秒',
  },
  'score.silence_meaning': {
    en: 'Mean speed of mouth and jaw in silence, as a share of their speed in speech. A breath or a smile counts too.',
    zh: '无声时嘴与下颌的平均速度占有声时的比例；呼吸与微笑也计算在内。',
  },
  'score.no_silence': {
    en: 'There is no silence of 0.3 s, or nothing but silence.',
    zh: '没有 0.3 秒以上的静默，或全为静默。',
  },
  'score.jitter': { en: 'Jitter', zh: '抖动' },
  'score.weight_text': { en: '{weight} of a weight of 1', zh: '权重 1 中的 {weight}' },
  'score.jitter_meaning': {
    en: 'Frame-to-frame jitter of the moving channels: root mean square of half the difference between a frame and the mean of its two neighbours.',
    zh: '活动通道在相邻帧之间的颤动幅度：每帧与前后两帧中点之差的一半的均方根。',
  },
  'score.no_frames': { en: 'The face does not move.', zh: '没有活动的面部。' },
  'score.range': { en: 'Channels used', zh: '使用的通道' },
  'score.range_text': {
    en: '{used} of {count}; the widest, {name}, uses {share}',
    zh: '{count} 个中 {used} 个；范围最大的 {name} 用了 {share}',
  },
  'score.range_meaning': {
    en: 'Channels that move by 0.01 or more; the list below shows the range of each.',
    zh: '变化达到百分之一及以上的通道；下方列表给出每个通道的范围。',
  },
  'score.late': { en: 'Late frames', zh: '迟到的帧' },
  'score.late_text': {
    en: '{late} of {count}; P50 {median} ms, P95 {p95} ms',
    zh: '{count} 帧中 {late} 帧；P50 {median} 毫秒，P95 {p95} 毫秒',
  },
  'score.late_meaning': {
    en: 'Frames that arrived more than 900 ms late during the recording (900 ms is the target of the interface). The take still contains them.',
    zh: '录制时比其声音时刻晚 900 毫秒以上到达的帧（900 毫秒为接口目标）；它们仍在录制中。',
  },
  'score.not_live': {
    en: 'This face was not made live.',
    zh: '此面部不是在说话时实时生成的。',
  },
  'score.missing': { en: 'Missing frames', zh: '缺失的帧' },
  'score.missing_text': { en: '{missing} of {count}', zh: '{count} 帧中 {missing} 帧' },
  'score.missing_meaning': {
    en: 'Frames that the rate and length of the take require, but that are missing. The face is interpolated across them in a straight line.',
    zh: '按录制的帧率与长度应有而没有的帧；其间的面部按直线过渡。',
  },
  'score.offset': { en: 'Sound to picture, live', zh: '现场声画时差' },
  'score.offset_text': { en: 'P50 {median} ms, P95 {p95} ms', zh: 'P50 {median} 毫秒，P95 {p95} 毫秒' },
  'score.offset_meaning': {
    en: 'Latency from sound to screen during the recording, measured by the page. Viewers notice a picture more than 45 ms after or 125 ms before its sound (ITU-R BT.1359). In the take itself both start together.',
    zh: '录制时从声音到屏幕的时间，由页面测得；画面落后声音 45 毫秒以上或提前 125 毫秒以上时观众会察觉（ITU-R BT.1359）。录制本身中二者同时开始。',
  },
  'score.nobody_watched': {
    en: 'The face was not displayed during the recording.',
    zh: '录制时无人观看。',
  },
} as const;
