export const storageMessages = {
  'storage.newer': {
    en: '“{fileName}” was written by a newer Likeness Studio.',
    zh: '“{fileName}”由更新版本的 Likeness Studio 写入。',
  },
  'storage.update_file': {
    en: 'Update Likeness Studio. Nothing in the file was changed.',
    zh: '请更新 Likeness Studio。文件未作任何改动。',
  },
  'journal.loss_accepted': {
    en: 'This loss was accepted: {detail}',
    zh: '已接受此缺失：{detail}',
  },
  'journal.end_missing': {
    en: "The file that records the journal's end was missing or damaged; entries after the present {entries} may have been removed.",
    zh: '记录日志末尾的文件缺失或损坏；现有 {entries} 个条目之后的内容可能已被删除。',
  },
  'journal.missing_end': {
    en: 'Entries {entries} to {last} are missing from the end.{aside, select, kept_aside { The journal file was damaged and has been kept aside.} other {}}',
    zh: '末尾缺少第 {entries} 至 {last} 个条目。{aside, select, kept_aside {日志文件已损坏，并已另行保留。} other {}}',
  },
  'journal.other_entry': {
    en: 'Entry {entries} is not the original one.',
    zh: '第 {entries} 个条目不是当时写入的内容。',
  },
  'journal.under_way': {
    en: 'In progress when the studio ended. {meaning}',
    zh: '工作室退出时仍在进行。{meaning}',
  },
  'journal.planned_cost': {
    en: 'It may have been billed, so its planned cost is counted.',
    zh: '它可能已计费，因此计入了预计费用。',
  },
  'journal.perhaps_received': {
    en: 'It may have been received.',
    zh: '它可能已被收到。',
  },
  'journal.too_many': {
    en: '{total} entries are too many for one file ({most}).',
    zh: '{total} 个条目对一个文件而言过多（{most}）。',
  },
  'journal.narrow_dates': {
    en: 'Limit the dates, or run “likeness journal export”, which has no limit.',
    zh: '请按日期缩小范围，或运行没有数量限制的“likeness journal export”。',
  },
  'spending.cap': {
    en: 'This call would cost up to {money} {currency}: {money2} of {money3} {currency} are spent this month{underWay, select, under_way { and {underWayMoney} are reserved for running calls} other {}}.',
    zh: '此调用最多花费 {money} {currency}：本月 {money3} {currency} 的上限已用 {money2}{underWay, select, under_way {，另有 {underWayMoney} 为进行中的调用预留} other {}}。',
  },
  'spending.raise_cap': {
    en: 'Raise the monthly cap of the connection in Settings, or wait for the next month (UTC). Nothing was sent.',
    zh: '请在设置中提高该连接的每月上限，或等到下个月（UTC）。没有发送任何内容。',
  },
  'journal.limits': {
    en: 'This check finds altered, removed, inserted or moved entries, and a cut-off end. It does not detect a rewrite of the whole journal and its end file by someone with write access to the data folder; for that, keep exports elsewhere.',
    zh: '校验能发现被更改、删除、插入或移动的条目，以及被截断的末尾；但不能发现有权写入数据文件夹的人重写了整个日志和记录其末尾的文件；为此请将导出的文件保存在别处。',
  },
  'journal.entry_missing': {
    en: 'Entry {last} is missing: {sequence} follows {entries}. {limits}',
    zh: '缺少第 {last} 个条目：{entries} 之后是 {sequence}。{limits}',
  },
  'journal.entry_altered': {
    en: 'Entry {sequence} was altered, or one before it was replaced. {limits}',
    zh: '第 {sequence} 个条目被更改，或其之前的条目被替换。{limits}',
  },
  'journal.entry_other': {
    en: 'Entry {entries} is not the original one. {limits}',
    zh: '第 {entries} 个条目不是当时写入的内容。{limits}',
  },
  'journal.end_file_missing': {
    en: "The file that records the journal's end is missing. {limits}",
    zh: '记录日志末尾的文件缺失。{limits}',
  },
  'journal.end_entries_missing': {
    en: 'Entries {entries} to {last} are missing from the end. {limits}',
    zh: '末尾缺少第 {entries} 至 {last} 个条目。{limits}',
  },
  'journal.loss_found': {
    en: 'The {entries} {entries, plural, one {entry is} other {entries are}} intact, but a loss was found on {when}: {detail} {limits}',
    zh: '{entries} 个条目前后相连，但在 {when} 发现有缺失：{detail}{limits}',
  },
  'journal.intact': {
    en: '{entries} {entries, plural, one {entry, as originally} other {entries, all as originally}} written. {limits}',
    zh: '全部 {entries} 个条目均与写入时一致。{limits}',
  },
  'journal.sums_lower': {
    en: 'All entries are as written, but the sums of {row} for “{profile}” are lower than its entries. {limits}',
    zh: '所有条目均与写入时一致，但“{profile}”在 {row} 的合计低于其条目。{limits}',
  },
  'journal.sums_missing': {
    en: 'All entries are as written, but the sums of a month are missing. {limits}',
    zh: '所有条目均与写入时一致，但某个月的合计缺失。{limits}',
  },
  'meter.perhaps_received': {
    en: '{message} (It may have been received, and counts as billed.)',
    zh: '{message}（可能已被收到，按已计费处理。）',
  },
  'storage.data_folder': {
    en: "The data folder {folder} can't be used: {message}.",
    zh: '无法使用数据文件夹 {folder}：{message}。',
  },
  'storage.newer_schema': {
    en: '“{file}” was written by a newer Likeness Studio (schema {version}; this one knows {known}).',
    zh: '“{file}”由更新版本的 Likeness Studio 写入（格式 {version}；此版本支持到 {known}）。',
  },
  'storage.other_copy': {
    en: 'Another copy of Likeness Studio is writing to the same data folder.',
    zh: '另一个 Likeness Studio 正在写入同一数据文件夹。',
  },
  'storage.wait_for_copy': {
    en: 'Wait for it to finish or close it, then try again.',
    zh: '请等待其完成或将其关闭，然后重试。',
  },
  'storage.no_file': {
    en: '“{file}” is not a file.',
    zh: '“{file}”不是文件。',
  },
  'storage.too_large': {
    en: '“{file}” has {size} bytes; at most {most} are read.',
    zh: '“{file}”有 {size} 字节；最多读取 {most} 字节。',
  },
  'storage.link': {
    en: '“{file}” is a link, or is behind a link that leads out of its folder.',
    zh: '“{file}”是链接，或位于指向其文件夹之外的链接之后。',
  },
  'storage.put_file': {
    en: 'Replace the link with the file itself.',
    zh: '请在该处放入文件本身。',
  },
  'storage.full': {
    en: 'The disk is full: “{name}” could not be written.',
    zh: '磁盘已满：无法写入“{name}”。',
  },
  'storage.free_space': {
    en: 'Free some space on its disk, then try again.',
    zh: '请在其所在的磁盘上腾出空间，然后重试。',
  },
  'storage.quota': {
    en: '“{name}” could not be written: the disk quota of this user is used up.',
    zh: '无法写入“{name}”：当前用户的磁盘配额已用完。',
  },
  'storage.free_quota': {
    en: 'Delete some of your files on that disk, or ask for a higher quota, then try again.',
    zh: '请删除您在该磁盘上的一些文件，或请管理员提高配额，然后重试。',
  },
  'storage.beyond_file_limit': {
    en: '“{name}” could not be written: it exceeds the maximum file size there.',
    zh: '无法写入“{name}”：它超过了该处允许的文件大小。',
  },
  'storage.larger_files': {
    en: 'Choose a disk that supports larger files, or ask for a higher limit for this user.',
    zh: '请选择支持更大文件的磁盘，或请管理员提高当前用户的限制。',
  },
  'storage.no_access': {
    en: '“{name}” can’t be read or changed: this user has no permission.',
    zh: '无法读取或更改“{name}”：系统不允许当前用户这样做。',
  },
  'storage.choose_home': {
    en: 'LIKENESS_HOME chooses another data folder.',
    zh: '可用 LIKENESS_HOME 选择其他数据文件夹。',
  },
  'storage.read_only': {
    en: "“{name}” can't be written: it or its disk is read-only.",
    zh: '无法写入“{name}”：它或其所在的磁盘为只读。',
  },
  'storage.give_access': {
    en: 'Give your user access to it and to its folder, or choose another folder.',
    zh: '请为您的用户授予它及其文件夹的访问权限，或选择其他文件夹。',
  },
  'storage.disk_failed': {
    en: 'The disk could not read or write “{name}”.',
    zh: '磁盘无法读取或写入“{name}”。',
  },
  'storage.check_disk': {
    en: 'Check the disk and its connection.',
    zh: '请检查磁盘及其连接。',
  },
  'storage.cannot_open': {
    en: "“{name}” can't be opened.",
    zh: '无法打开“{name}”。',
  },
  'storage.check_folder': {
    en: 'Check that its folder exists and that your user may read and write it.',
    zh: '请检查其文件夹是否存在，以及您的用户是否可以读写。',
  },
  'storage.in_use': {
    en: '“{name}” is in use by another program.',
    zh: '“{name}”正被其他程序使用。',
  },
  'storage.close_copies': {
    en: 'Close other copies of Likeness Studio that use this data folder, then try again.',
    zh: '请关闭使用此数据文件夹的其他 Likeness Studio，然后重试。',
  },
  'storage.damaged': {
    en: '“{name}” is damaged.',
    zh: '“{name}”已损坏。',
  },
  'storage.restore': {
    en: 'It was left as it is. Restore it from a backup, or move it out of its folder to start a new one.',
    zh: '它保持原样。请从备份恢复，或将其移出所在文件夹以便重新开始。',
  },
  'storage.close_holder': {
    en: 'Close the program that uses it, then try again.',
    zh: '请关闭占用它的程序，然后重试。',
  },
  'storage.too_many_open': {
    en: "“{name}” can't be opened: too many files are open.",
    zh: '无法打开“{name}”：打开的文件过多。',
  },
  'storage.wait_for_work': {
    en: 'Wait for running work to end, then try again.',
    zh: '请等待进行中的工作结束，然后重试。',
  },
  'storage.missing': {
    en: '“{name}” or its folder does not exist.',
    zh: '“{name}”不存在，或应包含它的文件夹已不存在。',
  },
  'storage.check_connected': {
    en: 'Check its name, that its folder exists and that its disk is connected.',
    zh: '请检查其名称、其文件夹是否存在，以及其磁盘是否已连接。',
  },
  'storage.in_the_way': {
    en: '“{name}” or its path is blocked: there is a file in place of a folder.',
    zh: '“{name}”或其路径造成阻碍：需要文件夹的位置是文件。',
  },
  'storage.is_folder': {
    en: '“{name}” is a folder, and a file is needed.',
    zh: '“{name}”是文件夹，而此处需要文件。',
  },
  'storage.move_or_name': {
    en: 'Name a file, or move the folder elsewhere.',
    zh: '请指定文件，或将该文件夹移到别处。',
  },
  'storage.there_already': {
    en: '“{name}” can’t be created: something of this name already exists.',
    zh: '“{name}”造成阻碍：已存在同名的文件或文件夹。',
  },
  'storage.move_elsewhere': {
    en: 'Move it elsewhere, then try again.',
    zh: '请将其移到别处，然后重试。',
  },
  'storage.name_too_long': {
    en: 'The name “{name}…” is too long for this disk.',
    zh: '名称“{name}…”对此磁盘而言太长。',
  },
  'storage.shorter_name': {
    en: 'Use a shorter name.',
    zh: '请使用更短的名称。',
  },
} as const;
