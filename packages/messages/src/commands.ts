export const commandsMessages = {
  'cli.no_such_path': {
    en: 'There is no such folder or file: {path}.',
    zh: '没有此文件夹或文件：{path}。',
  },
  'cli.interrupted_at': {
    en: 'Interrupted{total, plural, =0 {} other {: {finished} of {total} finished}}.',
    zh: '已中断{total, plural, =0 {} other {：{total} 个中已结束 {finished} 个}}。',
  },
  'cli.repeat_to_go_on': {
    en: 'Repeat the same command to continue; nothing is sent twice.',
    zh: '重复同一命令即可继续；不会重复发送。',
  },
  'cli.repeat_without_again': {
    en: 'To continue, repeat the command without --again: with it, finished heads are ordered again.',
    zh: '如要继续，请去掉 --again 后重复此命令：否则已制作完成的头模会再次下单。',
  },
  'cli.looking_for_photos': {
    en: 'Looking for photos: {total}',
    zh: '正在查找照片：{total}',
  },
  'cli.checking': {
    en: 'Checking {finished} of {total}',
    zh: '正在检查：{total} 张中的第 {finished} 张',
  },
  'cli.manifest_problem': {
    en: 'Manifest {file}:{line}:{column}: {problem}',
    zh: '清单 {file}:{line}:{column}：{problem}',
  },
  'cli.no_photo': {
    en: 'No photo was found.',
    zh: '没有找到照片。',
  },
  'cli.sex_not_said': {
    en: 'sex missing',
    zh: '未注明性别',
  },
  'cli.photos_nothing_sent': {
    en: '{count} {count, plural, one {photo} other {photos}}; nothing was sent.',
    zh: '{count} 张照片；没有发送任何内容。',
  },
  'cli.already_there': {
    en: '{alreadyThere} already in the library',
    zh: '{alreadyThere} 个已在模型库中',
  },
  'cli.uncertain': {
    en: '{uncertain} uncertain (settle them in the window)',
    zh: '{uncertain} 个不确定（请在窗口中处理）',
  },
  'cli.not_sent': {
    en: '{count} not sent',
    zh: '{count} 个未发送',
  },
  'cli.stopped': {
    en: 'Stopped: {held}',
    zh: '已停止：{held}',
  },
  'cli.ordered_not_fetched': {
    en: '{count} ordered, not fetched yet.',
    zh: '{count} 个已下单，尚未取回。',
  },
  'cli.json_asks_nobody': {
    en: 'With --json the command asks no questions.',
    zh: '使用 --json 时不会向任何人提问。',
  },
  'cli.repeat_with_yes': {
    en: 'Repeat with --yes to do it.',
    zh: '如要执行，请加上 --yes 重复此命令。',
  },
  'cli.keys_go': {
    en: 'The keys of “{name}” are now bound to its present server.',
    zh: '“{name}”的密钥现已绑定到它现在的服务器。',
  },
  'cli.nothing_changed': {
    en: 'Nothing was changed.',
    zh: '未作任何更改。',
  },
  'cli.no_connection': {
    en: 'There is no connection called “{name}”.',
    zh: '没有名为“{name}”的连接。',
  },
  'cli.there_are': {
    en: 'Available: {names}.',
    zh: '现有：{names}。',
  },
  'cli.connection_line': {
    en: '{name}{server, select, here { (on this machine)} other { — A: {addressA, select, none {not set} other {{addressA}}}, B: {addressB, select, none {not set} other {{addressB}}}}}{key, select, stale { — a key is not sent to this server, see “connections bind”} other {}}',
    zh: '{name}{server, select, here {（本机）} other { — A：{addressA, select, none {未设置} other {{addressA}}}，B：{addressB, select, none {未设置} other {{addressB}}}}}{key, select, stale { — 有密钥未绑定到此服务器，参见“connections bind”} other {}}',
  },
  'receipt.heads': {
    en: '{count} {count, plural, one {head} other {heads}}, with photo, picture and record',
    zh: '{count} 个头模，及其照片、图片与记录',
  },
  'receipt.photos': {
    en: '{count} {count, plural, one {photo} other {photos}} in the queue',
    zh: '队列中的 {count} 张照片',
  },
  'receipt.previews': {
    en: '{count} photo {count, plural, one {thumbnail} other {thumbnails}}',
    zh: '{count} 张照片缩略图',
  },
  'receipt.jobs': {
    en: '{count} {count, plural, one {job} other {jobs}} in the queue',
    zh: '队列中的 {count} 个任务',
  },
  'receipt.image_tasks': {
    en: '{count} file {count, plural, one {name} other {names}} in the list of image tasks',
    zh: '图像任务列表中的 {count} 个文件名',
  },
  'receipt.uploads': {
    en: '{count} {count, plural, one {photo} other {photos}} dropped but not added',
    zh: '{count} 张已拖入但未采用的照片',
  },
  'receipt.exports': {
    en: '{count} exported {count, plural, one {file} other {files}} in the temporary folder',
    zh: '临时文件夹中的 {count} 个导出文件',
  },
  'receipt.takes': {
    en: '{count} {count, plural, one {take} other {takes}}: voice, face and record',
    zh: '{count} 个录制：声音、面部与记录',
  },
  'receipt.take_links': {
    en: '{count} {count, plural, one {take that no longer names its} other {takes that no longer name their}} head',
    zh: '{count} 个录制不再注明所用头模',
  },
  'receipt.engine': {
    en: '{count} {count, plural, one {file or entry} other {files and entries}} of the built-in engine',
    zh: '内置引擎的 {count} 个文件与条目',
  },
  'receipt.log_names': {
    en: '{count} {count, plural, one {name} other {names}} in the log',
    zh: '日志文件中的 {count} 个名称',
  },
  'receipt.set_aside': {
    en: '{count} damaged {count, plural, one {index} other {indexes}} kept aside',
    zh: '{count} 个另行保留的损坏索引',
  },
  'receipt.kept_takes': {
    en: '{count} {count, plural, one {take} other {takes}} with the person’s voice (erase {count, plural, one {it} other {them}} with --takes, or in the window)',
    zh: '{count} 个录制：声音也属于此人（用 --takes 或在窗口中清除）',
  },
  'receipt.open_jobs': {
    en: '{count} unfinished {count, plural, one {job} other {jobs}} of the same photos: cancel {count, plural, one {it} other {them}}, then erase the rest',
    zh: '同一照片的 {count} 个未结束任务：请先取消，再清除其余',
  },
  'receipt.same_photo': {
    en: '{count} other {count, plural, one {head} other {heads}} of the same photos',
    zh: '同一照片的 {count} 个其他头模',
  },
  'receipt.originals': {
    en: '{count} {count, plural, one {photo, if you still have it} other {photos, if you still have them}} in your own folders: the studio never touches {count, plural, one {it} other {them}}',
    zh: '您自己文件夹中的 {count} 张原照片（如仍保留）：工作室从不改动',
  },
  'receipt.servers': {
    en: '{count} {count, plural, one {head} other {heads}} made by servers, which may keep photo and head: ask there',
    zh: '{count} 个由服务器制作的头模，服务器可能保留照片与头模：请向其查询',
  },
  'receipt.shelves': {
    en: '{count} {count, plural, one {collection, saved search or take} other {collections, saved searches and takes}} with such a name',
    zh: '您以此命名的 {count} 个收藏集、保存的搜索与录制',
  },
  'receipt.journal': {
    en: 'The journal: ids, times and prices of the calls; no names, no pictures',
    zh: '日志：调用的编号、时间与价格；不含姓名与图片',
  },
  'receipt.saved_exports': {
    en: 'Files that you exported and saved elsewhere',
    zh: '您导出并保存在别处的文件',
  },
  'receipt.backups': {
    en: 'Backups, and copies that the disk itself keeps',
    zh: '备份，以及磁盘自身保留的副本',
  },
  'receipt.head': {
    en: 'Head {id}',
    zh: '头模 {id}',
  },
  'receipt.not_erased': {
    en: 'Not erased:',
    zh: '未清除：',
  },
  'receipt.failed': {
    en: '✗ {failed} {failed, plural, one {head} other {heads}} could not be erased: {problem}',
    zh: '✗ {failed} 个头模无法清除：{problem}',
  },
  'receipt.in_use': {
    en: 'Deleted data could not be overwritten in every database: one is in use or read-only. The studio tries again at its next start.',
    zh: '未能覆盖所有数据库中已删除的内容：某个数据库正在使用或无法写入。下次启动时会再次尝试。',
  },
  'cli.no_file': {
    en: 'There is no file {file}.',
    zh: '没有文件 {file}。',
  },
  'cli.no_folder': {
    en: 'There is no folder {folder}.',
    zh: '没有文件夹 {folder}。',
  },
  'cli.head_made': {
    en: '{target}: {megabytes} MB in {seconds} s',
    zh: '{target}：{megabytes} MB，用时 {seconds} 秒',
  },
  'cli.jobs_left': {
    en: '--jobs is ignored: the open studio uses its own settings.',
    zh: '已忽略 --jobs：打开的工作室按自己的设置工作。',
  },
  'cli.made_despite': {
    en: 'Made despite: {rule}',
    zh: '尽管存在以下情况仍已生成：{rule}',
  },
  'cli.shapes_still': {
    en: 'Note: these face shapes do not move in it: {names}',
    zh: '注意：其中这些面部形态不会动：{names}',
  },
  'cli.converted': {
    en: '{target}: {megabytes} MB, {moving} face {moving, plural, one {shape} other {shapes}}',
    zh: '{target}：{megabytes} MB，{moving} 个面部形态',
  },
  'cli.written_over': {
    en: '{file} would be overwritten.',
    zh: '{file} 会被覆盖。',
  },
  'cli.give_out': {
    en: 'Choose another path with --out.',
    zh: '请为 --out 指定其他位置。',
  },
  'cli.give_place': {
    en: 'Choose another path, or add --overwrite.',
    zh: '请指定其他位置，或使用 --overwrite。',
  },
  'cli.manifest_applied': {
    en: 'Manifest {file}: applied to {applied} {applied, plural, one {photo} other {photos}}',
    zh: '清单 {file}：已用于 {applied} 张照片',
  },
  'cli.studio_closed_at': {
    en: 'The studio was closed{total, plural, =0 {} other {: {finished} of {total} finished}}.',
    zh: '工作室已关闭{total, plural, =0 {} other {：{total} 个中已结束 {finished} 个}}。',
  },
  'cli.waits_for_studio': {
    en: 'Waiting photos continue when you open it again.',
    zh: '等待中的任务会在工作室再次打开后继续。',
  },
  'cli.unsent_left_queue': {
    en: 'Waiting photos were removed from the studio’s queue; the studio finishes those in progress.',
    zh: '仍在等待的照片已移出工作室的队列；进行中的会在那里完成。',
  },
  'cli.forwarded': {
    en: 'Sent to the open studio.',
    zh: '已交给打开的工作室。',
  },
  'cli.runs_beside': {
    en: 'This command runs beside it.',
    zh: '此命令在其旁边运行。',
  },
  'cli.studio_closed': {
    en: 'The studio was closed.',
    zh: '工作室已关闭。',
  },
  'cli.note': {
    en: 'Note: {warning}',
    zh: '注意：{warning}',
  },
  'cli.again_which': {
    en: 'No head specified.',
    zh: '未指定头模。',
  },
  'cli.again_how': {
    en: 'Pass ids of heads, or use --outdated.',
    zh: '请给出人头编号，或使用 --outdated。',
  },
  'cli.again_none': {
    en: 'No heads come from an older engine.',
    zh: '没有由旧版引擎制作的头模。',
  },
  'cli.stays_in_queue': {
    en: '{count} {count, plural, one {stays in the queue and continues} other {stay in the queue and continue}} when the studio opens.',
    zh: '{count} 个留在队列中，打开工作室后继续。',
  },
  'cli.again_done': {
    en: '{done} of {total} made again.',
    zh: '已重新制作 {done}/{total} 个。',
  },
  'cli.again_no_photo': {
    en: '{count} without a kept photo: {names}',
    zh: '{count} 个未保存照片：{names}',
  },
  'cli.again_fewer_photos': {
    en: 'Made from fewer photos, because some were not kept or are gone: {names}',
    zh: '部分照片未保存或已丢失，仅用其余照片制作：{names}',
  },
  'cli.again_no_sex': {
    en: '{count} without a sex',
    zh: '{count} 个未注明性别',
  },
  'cli.again_in_queue': {
    en: '{count} already in the queue',
    zh: '{count} 个已在制作中',
  },
  'cli.no_options': {
    en: '{file} has no valid head options ({problem}).',
    zh: '{file} 中没有有效的头模选项（{problem}）。',
  },
  'cli.no_corrections': {
    en: '{file} has no corrections.',
    zh: '{file} 不含轮廓修正。',
  },
  'cli.no_such_file': {
    en: 'There is no such file.',
    zh: '没有此文件。',
  },
  'cli.usage': {
    en: '{profileName}: {calls} {calls, plural, one {call} other {calls}} ({failed} failed), {seconds} s, {frames} {frames, plural, one {frame} other {frames}}, {models} {models, plural, one {model} other {models}}, {cost} {currency}',
    zh: '{profileName}：{calls} 次调用（{failed} 次失败），{seconds} 秒，{frames} 帧，{models} 个模型，{cost} {currency}',
  },
  'cli.nothing_used': {
    en: 'Nothing was used in {month}.',
    zh: '{month} 没有任何用量。',
  },
  'cli.heads_of': {
    en: '{count} of {total} {total, plural, one {head} other {heads}} (--limit for more)',
    zh: '共 {total} 个头模，显示 {count} 个（用 --limit 显示更多）',
  },
  'cli.no_head_found': {
    en: 'No head was found.',
    zh: '没有找到头模。',
  },
  'cli.export_gone': {
    en: 'The export was deleted before it could be copied.',
    zh: '导出文件在复制之前已消失。',
  },
  'cli.heads_exported': {
    en: '{out}: {models} {models, plural, one {head} other {heads}}, {megabytes} MB',
    zh: '{out}：{models} 个头模，{megabytes} MB',
  },
  'cli.no_such_head': {
    en: 'This head does not exist (any more).',
    zh: '此头模已不存在。',
  },
  'cli.would_be_erased': {
    en: 'This erases {heads} {heads, plural, one {head} other {heads}} and {gone} {gone, plural, one {take} other {takes}} for good{kept, plural, =0 {} one {; {kept} of their takes stays} other {; {kept} of their takes stay}}.',
    zh: '将永久清除 {heads} 个头模和 {gone} 个录制{kept, plural, =0 {} other {；其 {kept} 个录制会保留}}。',
  },
  'cli.repeat_yes_takes': {
    en: 'Repeat with --yes to do it{kept, plural, =0 {} other {, and with --takes to erase those too}}.',
    zh: '如要执行，请加上 --yes 重复此命令{kept, plural, =0 {} other {；如也要清除那些录制，请加上 --takes}}。',
  },
  'cli.heads_problems': {
    en: '{models} {models, plural, one {head} other {heads}}, {count} {count, plural, one {problem} other {problems}}',
    zh: '{models} 个头模，{count} 个问题',
  },
  'cli.say_which_heads': {
    en: 'Specify heads by ids, --query or --all: exactly one of these.',
    zh: '请说明是哪些头模：给出编号，或 --query，或 --all，只能选其一。',
  },
  'cli.see_export_help': {
    en: 'See “likeness library export --help”.',
    zh: '请参见“likeness library export --help”。',
  },
  'cli.see_search_help': {
    en: 'See “likeness library search --help”.',
    zh: '请参见“likeness library search --help”。',
  },
  'cli.no_library_at': {
    en: 'The studio has no library at {folder}.',
    zh: '工作室所知的模型库中没有位于 {folder} 的。',
  },
  'cli.list_libraries': {
    en: 'List them with “likeness library folders”.',
    zh: '可用“likeness library folders”列出。',
  },
  'cli.library_line': {
    en: '{folder}  “{name}”, {state, select, missing {not connected} other {{count} {count, plural, one {head} other {heads}}}}{use, select, default {, new heads go here} other {}}',
    zh: '{folder}  “{name}”，{state, select, missing {未连接} other {{count} 个头模}}{use, select, default {，新头模放在此处} other {}}',
  },
  'cli.library_away': {
    en: 'The library “{name}” in {folder} is not connected.',
    zh: '模型库“{name}”（位于 {folder}）未连接。',
  },
  'cli.in_library': {
    en: '“{added}” is in the library.',
    zh: '“{added}”已在模型库中。',
  },
  'cli.there_already': {
    en: '{out} already exists.',
    zh: '{out} 已存在。',
  },
  'cli.other_name': {
    en: 'Choose another name, or move it away.',
    zh: '请使用其他名称，或将其移走。',
  },
  'cli.asking_again': {
    en: 'Being made, asking again in {seconds} s',
    zh: '正在制作，{seconds} 秒后再次查询',
  },
  'cli.model_at': {
    en: '{id} at “{name}”: {state, select, ready {ready} failed {failed: {reason}} other {being made{left, plural, =-1 {} other {, about {left} s left}}}}',
    zh: '{id}（“{name}”）：{state, select, ready {已就绪} failed {失败：{reason}} other {正在制作{left, plural, =-1 {} other {，约剩 {left} 秒}}}}',
  },
  'cli.say_which_takes': {
    en: 'Specify takes by ids, or --all.',
    zh: '请说明是哪些录制：给出编号，或 --all。',
  },
  'cli.list_takes': {
    en: 'List them with “likeness take list”.',
    zh: '可用“likeness take list”列出。',
  },
  'cli.take_in_trash': {
    en: '{id} is in the trash.',
    zh: '{id} 已移到回收站。',
  },
  'cli.takes_would_be_erased': {
    en: 'This erases {count} {count, plural, one {take} other {takes}} for good.',
    zh: '将永久清除 {count} 个录制。',
  },
  'cli.takes_erased': {
    en: '{erased} {erased, plural, one {take} other {takes}} erased.',
    zh: '已清除 {erased} 个录制。',
  },
  'cli.other_folder': {
    en: 'Choose another folder, or add --overwrite.',
    zh: '请指定其他文件夹，或使用 --overwrite。',
  },
  'cli.damaged': {
    en: 'Damaged: {damaged}',
    zh: '已损坏：{damaged}',
  },
  'cli.would_write': {
    en: 'Would write {file}: {names}',
    zh: '将写入 {file}：{names}',
  },
  'cli.words_agree': {
    en: '{file}: {count} {count, plural, one {word is} other {words are all}} said.',
    zh: '{file}：全部 {count} 个词均已说出。',
  },
  'cli.words_differ': {
    en: '{file}: {differing} of {count} {count, plural, one {word} other {words}} {differing, plural, one {differs} other {differ}}: {words}',
    zh: '{file}：{count} 个词中有 {differing} 个不符：{words}',
  },
  'cli.words_unknown': {
    en: 'Not in the dictionary: {words}. Set their pronunciation in Settings → Pronunciations.',
    zh: '词典中没有：{words}。可在“设置”→“读音”中指定其读音。',
  },
  'cli.word_left_out': { en: '{word} (not said)', zh: '{word}（未说出）' },
  'cli.word_changed': { en: '{word} (something else is said)', zh: '{word}（说的是别的）' },
  'cli.word_followed': { en: '{word} (extra words follow)', zh: '{word}（其后另有所说）' },
  'cli.and_more': { en: '{names} and {count} more', zh: '{names} 等，另有 {count} 个' },
  'cli.words_not_used': { en: '{file}: {problem}', zh: '{file}：{problem}' },
  'cli.no_script_in': {
    en: '{file}: {folder} has no transcript of this name; the face is made from the audio alone.',
    zh: '{file}：{folder} 中没有同名台词；面部仅根据声音生成。',
  },
  'cli.full_pass_built_in': {
    en: 'Only the built-in engine makes a full pass, and “{profile}” is a server.',
    zh: '只有内置引擎能进行完整分析，而“{profile}”是服务器。',
  },
  'cli.profile_built_in': {
    en: 'Use --profile built-in, or --full-pass off.',
    zh: '请使用 --profile built-in，或 --full-pass off。',
  },
  'cli.needs_full_pass': {
    en: '{option} needs the full pass, which is off here.',
    zh: '{option} 需要完整分析，而此处未启用。',
  },
  'cli.full_pass_on': {
    en: 'Leave the option out, or use the built-in engine with --full-pass on.',
    zh: '请去掉该选项，或使用内置引擎并加上 --full-pass on。',
  },
  'cli.stage_analysing': {
    en: 'Analysing {file}',
    zh: '正在分析 {file}',
  },
  'cli.stage_aligning': {
    en: 'Aligning the transcript of {file}',
    zh: '正在对齐 {file} 的台词',
  },
  'cli.stage_making': {
    en: 'Making the face of {file}',
    zh: '正在生成 {file} 的面部',
  },
  'cli.no_preset': {
    en: 'There is no preset “{name}”.',
    zh: '没有预设“{name}”。',
  },
  'cli.presets_are': {
    en: 'Presets: {names}.',
    zh: '可用的预设：{names}。',
  },
  'cli.preset_no_film': {
    en: 'The preset “{name}” has no film.',
    zh: '预设“{name}”没有影片。',
  },
  'cli.preset_take_export': {
    en: 'Write its files with “likeness take export --preset”.',
    zh: '可用“likeness take export --preset”写出其文件。',
  },
  'cli.no_head': {
    en: 'There is no head “{head}”.',
    zh: '没有头模“{head}”。',
  },
  'cli.name_glb': {
    en: 'Use a GLB file, or an id from “likeness library list”.',
    zh: '请给出 GLB 文件，或“likeness library list”显示的编号。',
  },
  'cli.done': {
    en: 'Done',
    zh: '完成',
  },
  'cli.making': {
    en: '{finished} of {total}{left, plural, =-1 {} other {, about {left} s left}}',
    zh: '{total} 个中的第 {finished} 个{left, plural, =-1 {} other {，约剩 {left} 秒}}',
  },
  'cli.queue_blocked': { en: 'The queue is blocked. {reason}', zh: '队列受阻。{reason}' },
  'cli.queue_continues': { en: 'The queue continues.', zh: '队列继续运行。' },
  'cli.engine_restarted': {
    en: 'The engine on this machine ended and was restarted.',
    zh: '本机引擎已退出，并已重新启动。',
  },
  'cli.next_attempt': { en: 'Next attempt in {seconds} s.', zh: '{seconds} 秒后重试。' },
  'cli.still_blocked': { en: 'The queue is still blocked. {reason}', zh: '队列仍然受阻。{reason}' },
  'cli.with_hold': { en: '{making} – {held}', zh: '{making} – {held}' },
  'cli.n_done': { en: '{count} done', zh: '{count} 个完成' },
  'cli.n_failed': { en: '{count} failed', zh: '{count} 个失败' },
  'cli.n_cancelled': { en: '{count} cancelled', zh: '{count} 个已取消' },
  'cli.n_waiting': { en: '{count} waiting', zh: '{count} 个等待中' },
  'cli.list': { en: '{first}, {second}', zh: '{first}，{second}' },
  'cli.intact': { en: 'Intact: {detail}', zh: '完好：{detail}' },
  'cli.broken': { en: 'BROKEN: {detail}', zh: '已损坏：{detail}' },
  'cli.n_heads': { en: '{count} {count, plural, one {head} other {heads}}', zh: '{count} 个头模' },
  'cli.see_take_search_help': {
    en: 'See “likeness take list --help”.',
    zh: '请参见“likeness take list --help”。',
  },
  'cli.say_takes_or_search': {
    en: 'Specify takes by ids or by --search, not both.',
    zh: '请给出录制的编号，或用 --search 给出查找条件：二者选一。',
  },
  'cli.nothing_to_tag': {
    en: 'Specify tags with --add, --remove or both.',
    zh: '请说明标签：--add、--remove 或两者。',
  },
  'cli.takes_changed': {
    en: '{count} {count, plural, one {take} other {takes}} changed.',
    zh: '已更改 {count} 个录制。',
  },
  'cli.n_takes': { en: '{count} {count, plural, one {take} other {takes}}', zh: '{count} 个录制' },
  'cli.n_seconds': { en: '{seconds} s', zh: '{seconds} 秒' },
  'receipt.erased': { en: 'Erased:', zh: '已清除：' },
  'cli.state_done': { en: 'done', zh: '完成' },
  'cli.state_failed': { en: 'failed', zh: '失败' },
  'cli.state_cancelled': { en: 'cancelled', zh: '已取消' },
  'cli.state_uncertain': { en: 'uncertain', zh: '不确定' },
  'cli.step_ok': { en: 'ok', zh: '正常' },
  'cli.step_warning': { en: 'warning', zh: '有提示' },
  'cli.step_failed': { en: 'failed', zh: '失败' },
  'cli.step_skipped': { en: 'skipped', zh: '未尝试' },
  'settings_file.too_large': {
    en: 'The file is too large for settings (8 MB).',
    zh: '文件对设置而言过大（8 MB）。',
  },
  'settings_file.not_json': { en: 'The file is not JSON.', zh: '文件不是 JSON。' },
  'settings_file.other_kind': {
    en: 'It is damaged, or of another kind.',
    zh: '文件已损坏，或是另一种文件。',
  },
  'settings_file.not_settings': {
    en: 'The file has no studio settings.',
    zh: '文件中没有工作室的设置。',
  },
  'settings_file.newer': {
    en: 'The file comes from a newer Likeness Studio.',
    zh: '文件由更新版本的 Likeness Studio 生成。',
  },
  'settings_file.update': {
    en: 'Update the studio. Nothing was changed.',
    zh: '请更新此版本。未作任何更改。',
  },
  'settings_file.empty': { en: 'The file is empty.', zh: '文件为空。' },
  'settings_file.choose': {
    en: 'Choose a file that “likeness settings export” wrote.',
    zh: '请选择由“likeness settings export”写出的文件。',
  },
  'cli.settings_saved': { en: 'The settings are in {file}.', zh: '设置已写入 {file}。' },
  'cli.settings_left_out': {
    en: 'Skipped, not valid here: {what}',
    zh: '已略去，在此无效：{what}',
  },
  'cli.settings_of_page': {
    en: 'Not set here: {parts}. To set them, restore the file in Settings → Settings backup.',
    zh: '未在此设置：{parts}。请在“设置”→“设置备份”中恢复该文件。',
  },
  'cli.settings_same': { en: 'These settings are already in use.', zh: '一切已经是这样设置的。' },
  'cli.setting_added': {
    en: 'Connection “{name}”: added, without keys',
    zh: '连接“{name}”：添加，不带密钥',
  },
  'cli.setting_connection': {
    en: 'Connection “{name}”: {fields}{moved, select, true { ({from} → {to})} other {}}',
    zh: '连接“{name}”：{fields}{moved, select, true {（{from} → {to}）} other {}}',
  },
  'cli.setting_default': {
    en: 'Used by default: {name}',
    zh: '默认使用：{name}',
  },
  'cli.setting_changes': { en: '{name}: {from} → {to}', zh: '{name}：{from} → {to}' },
  'cli.write_like': { en: 'Write {example}.', zh: '请写成：{example}' },
} as const;
