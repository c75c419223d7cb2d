export const takeEditsMessages = {
  'edits.ends_before': {
    en: 'A range must end after it starts.',
    zh: '一段的结束必须晚于开始。',
  },
  'edits.overlap': {
    en: 'Ranges must be in order and must not overlap.',
    zh: '各段须依次排列，不能重叠。',
  },
  'edits.not_rising': {
    en: 'Keys must be in order of time, no two at the same time.',
    zh: '关键帧须按时间先后排列，同一时刻不能有两个。',
  },
  'edits.key_outside': {
    en: 'A key is outside its range.',
    zh: '有关键帧位于其区段之外。',
  },
  'edits.least_above_most': {
    en: 'The minimum of a region is above its maximum.',
    zh: '区域的最小值大于最大值。',
  },
  'edits.not_generated': {
    en: 'The studio can generate brows, eyes and head, but not the region “{region}”, which depends on the speech.',
    zh: '眉、眼和头部可以生成，但区域“{region}”不行：只有录音知道说了什么。',
  },
  'edits.no_preset': {
    en: 'There is no expression “{name}”.',
    zh: '没有名为“{name}”的表情。',
  },
  'edits.preset_built_in': {
    en: 'The expression “{name}” is built in: choose another name.',
    zh: '表情“{name}”是内置的：请换一个名称。',
  },
  'edits.preset_in_use': {
    en: 'The expression “{name}” is used by a key: change that key first.',
    zh: '有关键帧使用表情“{name}”：请先更改该关键帧。',
  },
  'edits.too_many': {
    en: 'A take holds at most {most} of these.',
    zh: '一个录制最多可有 {most} 个。',
  },
  'edits.beyond_end': {
    en: 'The recording is {seconds} s long: nothing plays after that.',
    zh: '录制长 {seconds} 秒：超出部分无可播放。',
  },
  'edits.no_overdub': {
    en: 'The take has no overdub “{attempt}”.',
    zh: '该录制没有名为“{attempt}”的补录。',
  },
  'edits.changed_elsewhere': {
    en: 'The take was edited in another window.',
    zh: '该录制已在另一个窗口中被编辑。',
  },
  'edits.open_again': {
    en: 'Open it again and repeat the edit.',
    zh: '请重新打开后再次编辑。',
  },
  'edits.nothing_to_undo': {
    en: 'There is nothing to undo.',
    zh: '没有可撤销的操作。',
  },
  'edits.nothing_to_redo': {
    en: 'There is nothing to redo.',
    zh: '没有可重做的操作。',
  },
  'edits.no_version': {
    en: 'The take has no version {version}.',
    zh: '该录制没有版本 {version}。',
  },
  'edits.newer': {
    en: 'The edits of this take were made by a newer version of the studio (list version {version}).',
    zh: '该录制的编辑由更新版本的工作室所作（列表版本 {version}）。',
  },
  'edits.update': {
    en: 'Update the studio. Until then the take plays as it was recorded, and its edits stay as they are.',
    zh: '请更新工作室。在此之前录制按原样播放，编辑内容保持不变。',
  },
  'edits.damaged_line': {
    en: "Line {line} of edits.jsonl can't be read.",
    zh: '无法读取 edits.jsonl 的第 {line} 行。',
  },
  'edits.put_right': {
    en: "Repair the file, or remove it from the take's folder: then the take plays as recorded.",
    zh: '请修复该文件，或将其从录制的文件夹中移除：移除后录制按原样播放。',
  },
  'edits.list_full': {
    en: 'The list of edits is full ({most} bytes).',
    zh: '编辑列表已满（{most} 字节）。',
  },
  'edits.go_on_in_copy': {
    en: 'Export the take, or join it into a new one, and continue there.',
    zh: '请导出该录制，或将其合并为新的录制，然后在新录制中继续。',
  },
  'edits.nothing_left': {
    en: 'Nothing would be left on one side of this position.',
    zh: '此时刻的一侧将没有可播放的内容。',
  },
  'edits.try_of_itself': {
    en: 'A take can’t be an overdub of itself.',
    zh: '录制不能作为自身的补录。',
  },
  'edits.try_in_use': {
    en: 'The edits use a part of this overdub.',
    zh: '编辑中使用了此补录的一段。',
  },
  'edits.take_from_elsewhere': {
    en: 'First take that part from the recording or another overdub.',
    zh: '请先将该段改为取自录音或另一个补录。',
  },
  'verify_take.length': {
    en: 'It has {seconds} s, but the record states {stated} s.',
    zh: '其中有 {seconds} 秒，而记录为 {stated} 秒。',
  },
  'verify_take.cut_off': {
    en: 'It can be read up to byte {whole} of {bytes}.',
    zh: '只能读到第 {whole} 字节，共 {bytes} 字节。',
  },
  'verify_take.no_face': {
    en: 'There is no face in it.',
    zh: '其中没有面部数据。',
  },
  'verify_take.words': {
    en: 'The words can’t be read.',
    zh: '无法读取词语数据。',
  },
  'verify_take.half_line': {
    en: 'Its last line is incomplete: the write may have been interrupted.',
    zh: '最后一行不完整：写入可能曾被中断。',
  },
  'verify_take.from_a_copy': {
    en: 'Restore the file from a backup.',
    zh: '请从备份恢复该文件。',
  },
  'verify_take.reanalyse': {
    en: 'Re-analyse the take: Takes → Re-analyse.',
    zh: '请重新分析该录制：“录制”→“重新分析”。',
  },
  'cli.take_is_well': {
    en: '{count} {count, plural, one {file is} other {files are}} intact',
    zh: '已读取 {count} 个文件，一切正常',
  },
  'cli.take_plays': { en: '{seconds} s, plays {played} s', zh: '{seconds} 秒，播放 {played} 秒' },
  'cli.take_revision': {
    en: 'Edits: {revision}',
    zh: '编辑：{revision}',
  },
  'cli.take_unedited': {
    en: 'Not edited',
    zh: '未编辑',
  },
  'cli.take_words': {
    en: 'Words: {count}',
    zh: '词语：{count}',
  },
  'cli.take_edited': {
    en: 'Edited: revision {revision}',
    zh: '已编辑：修订 {revision}',
  },
  'cli.one_edit': {
    en: 'Use one of --operations, --undo, --redo, --open and --name.',
    zh: '请给出 --operations、--undo、--redo、--open 和 --name 中的一个。',
  },
  'cli.operations_unreadable': {
    en: '{file} has no valid operations: {problem}.',
    zh: '{file} 中没有操作：{problem}。',
  },
  'cli.see_edits_format': { en: 'See docs/formats/edits.md.', zh: '见 docs/formats/edits.md。' },
  'cli.file_while_open': {
    en: 'While the studio is open, pass the operations as a file.',
    zh: '工作室打开时，请以文件给出操作。',
  },
  'cli.no_named_version': { en: 'The take has no version “{name}”.', zh: '该录制没有版本“{name}”。' },
} as const;
