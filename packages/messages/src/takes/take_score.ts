/** A take's scorecard: names of its figures, how they read, and what each means. */
export const takeScoreSentences = {
  'score.closures': { en: 'Closures that shut', zh: '真正闭合的闭唇' },
  'score.closures_text': {
    en: '{shut} of {count}; the widest stays {widest} mm open',
    zh: '{count} 次中 {shut} 次；最宽的一次仍张开 {widest} 毫米',
  },
  'score.closures_all_text': { en: '{shut} of {count}', zh: '{count} 次中 {shut} 次' },
  'score.closures_words': {
    en: 'Of the p, b and m of the words, those at which the lips of this head come within {most} mm of one another.',
    zh: '台词中的 p、b、m 里，此头模的双唇靠近到 {most} 毫米以内的次数。',
  },
  'score.closures_face': {
    en: 'Of the closures of the recorded face, those at which the lips of this head come within {most} mm of one another; with the words given, every p, b and m would count.',
    zh: '录制的面部的闭唇里，此头模的双唇靠近到 {most} 毫米以内的次数；若提供台词，则每个 p、b、m 都会计入。',
  },
  'score.no_lips': {
    en: 'The lips of this head can’t be measured: no shape opens a mouth that is shut at rest.',
    zh: '无法测量此头模的双唇：没有形态能张开静止时闭合的嘴。',
  },
  'score.no_closures': { en: 'There is nothing to shut in this take.', zh: '此录制中没有需要闭唇之处。' },
  'score.peaks': { en: 'Peaks kept', zh: '保留的峰值' },
  'score.peaks_text': { en: '{kept} of {count}', zh: '{count} 个中 {kept} 个' },
  'score.peaks_meaning': {
    en: 'Of the peaks of the recorded curves that still play, those that have 95% of their height or more after editing.',
    zh: '仍在播放的原曲线峰值里，编辑后仍保有 95% 及以上高度的个数。',
  },
  'score.no_edits': { en: 'Nothing is edited: all of them.', zh: '没有编辑：全部保留。' },
  'score.no_peaks': { en: 'The recorded face has no peaks.', zh: '录制的面部没有峰值。' },
  'score.jaw_lag': { en: 'Jaw after sound', zh: '下颌落后于声音' },
  'score.after_text': { en: '{ms} ms after it', zh: '落后 {ms} 毫秒' },
  'score.together_text': { en: 'at the same time', zh: '同时' },
  'score.before_text': { en: '{ms} ms before it', zh: '提前 {ms} 毫秒' },
  'score.jaw_lag_meaning': {
    en: 'By how much the jaw’s curve comes after the loudness of the sound where the two lie best on one another, within 300 ms.',
    zh: '下颌曲线与声音响度最吻合时，下颌落后的时间，在 300 毫秒以内寻找。',
  },
  'score.jaw_follows': { en: 'Jaw follows sound', zh: '下颌跟随声音' },
  'score.r_text': { en: 'r = {r}', zh: 'r = {r}' },
  'score.jaw_follows_meaning': {
    en: 'Correlation of the jaw with the loudness of the sound at that lag: 1 follows it wholly, 0 not at all; closed and rounded sounds are loud too, so that 1 is not the aim.',
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
    en: 'How fast mouth and jaw move on the mean while nothing is heard, as a share of how fast they move while something is; a breath or a smile counts too.',
    zh: '无声时嘴与下颌的平均速度占有声时的比例；呼吸与微笑也计算在内。',
  },
  'score.no_silence': {
    en: 'There is no silence of 0.3 s, or nothing but silence.',
    zh: '没有 0.3 秒以上的静默，或全为静默。',
  },
  'score.jitter': { en: 'Jitter', zh: '抖动' },
  'score.weight_text': { en: '{weight} of a weight of 1', zh: '权重 1 中的 {weight}' },
  'score.jitter_meaning': {
    en: 'How far the moving channels tremble from one frame to the next: root mean square of half of what a frame differs by from the middle of the two beside it.',
    zh: '活动通道在相邻帧之间的颤动幅度：每帧与前后两帧中点之差的一半的均方根。',
  },
  'score.no_frames': { en: 'There is no face that moves.', zh: '没有活动的面部。' },
  'score.range': { en: 'Channels used', zh: '使用的通道' },
  'score.range_text': {
    en: '{used} of {count}; the widest, {name}, uses {share}',
    zh: '{count} 个中 {used} 个；范围最大的 {name} 用了 {share}',
  },
  'score.range_meaning': {
    en: 'Channels that move by a hundredth or more; the list below says how far each one goes.',
    zh: '变化达到百分之一及以上的通道；下方列表给出每个通道的范围。',
  },
  'score.late': { en: 'Late frames', zh: '迟到的帧' },
  'score.late_text': {
    en: '{late} of {count}; P50 {median} ms, P95 {p95} ms',
    zh: '{count} 帧中 {late} 帧；P50 {median} 毫秒，P95 {p95} 毫秒',
  },
  'score.late_meaning': {
    en: 'Frames that came more than 900 ms after their moment in the sound while it was recorded, which is the target of the interface; they are in the take nevertheless.',
    zh: '录制时比其声音时刻晚 900 毫秒以上到达的帧（900 毫秒为接口目标）；它们仍在录制中。',
  },
  'score.not_live': {
    en: 'This face was not made while somebody spoke.',
    zh: '此面部不是在说话时实时生成的。',
  },
  'score.missing': { en: 'Missing frames', zh: '缺失的帧' },
  'score.missing_text': { en: '{missing} of {count}', zh: '{count} 帧中 {missing} 帧' },
  'score.missing_meaning': {
    en: 'Frames that should be there by the take’s rate and length, and are not; the face is drawn on a straight line over them.',
    zh: '按录制的帧率与长度应有而没有的帧；其间的面部按直线过渡。',
  },
  'score.offset': { en: 'Sound to picture, live', zh: '现场声画时差' },
  'score.offset_text': { en: 'P50 {median} ms, P95 {p95} ms', zh: 'P50 {median} 毫秒，P95 {p95} 毫秒' },
  'score.offset_meaning': {
    en: 'From sound to screen while it was recorded, as the page measured it; viewers notice a picture that comes more than 45 ms after or 125 ms before its sound (ITU-R BT.1359). In the take itself both begin together.',
    zh: '录制时从声音到屏幕的时间，由页面测得；画面落后声音 45 毫秒以上或提前 125 毫秒以上时观众会察觉（ITU-R BT.1359）。录制本身中二者同时开始。',
  },
  'score.nobody_watched': {
    en: 'Nobody watched while it was recorded.',
    zh: '录制时无人观看。',
  },
} as const;
