export const libraryMessages = {
  'library.not_all_copied': {
    en: 'Not everything could be copied; the library stays where it was.',
    zh: '未能全部复制；模型库仍在原处。',
  },
  'library.close_programs': {
    en: 'Close programs that use the library, then try again.',
    zh: '请关闭正在使用该模型库的程序，然后重试。',
  },
  'library.old_not_removed': {
    en: 'The library is now at {target}, but parts of {from} could not be removed.',
    zh: '模型库现位于 {target}，但 {from} 未能全部移除。',
  },
  'library.remove_by_hand': {
    en: 'Remove the old folder by hand: photos and heads may still be in it.',
    zh: '请手动删除旧文件夹：其中可能仍有照片与头模。',
  },
  'library.my_heads': {
    en: 'My heads',
    zh: '我的头模',
  },
  'library.copy': {
    en: 'This is a copy of the library “{name}” at {folder}.',
    zh: '这是位于 {folder} 的模型库“{name}”的副本。',
  },
  'library.make_own': {
    en: 'Remove library.json from the copy to make it a separate library.',
    zh: '如需使副本成为独立的模型库，请移除其中的 library.json。',
  },
  'library.last': {
    en: 'The last library can’t be removed: new heads need a library.',
    zh: '最后一个模型库不能移除：新的头模需要存放之处。',
  },
  'library.add_first': {
    en: 'Add another library first.',
    zh: '请先添加另一个模型库。',
  },
  'library.into_itself': {
    en: 'A library can’t be moved into itself.',
    zh: '模型库不能移入自身。',
  },
  'library.other_folder': {
    en: 'Choose another folder.',
    zh: '请选择其他文件夹。',
  },
  'library.there_already': {
    en: 'That folder already has “{file}”.',
    zh: '该文件夹中已有“{file}”。',
  },
  'library.being_filled': {
    en: 'This library has unfinished heads.',
    zh: '此模型库中有尚未完成的头模。',
  },
  'library.wait_or_pause': {
    en: 'Wait until they are done, or pause the queue and cancel running jobs.',
    zh: '请等待其完成，或暂停队列并取消进行中的任务。',
  },
  'library.gone': {
    en: 'There is no such library (any more).',
    zh: '此模型库已不存在。',
  },
  'library.choose_other': {
    en: 'Choose another one.',
    zh: '请选择其他模型库。',
  },
  'library.no_model': {
    en: 'There is no such model (any more).',
    zh: '此模型已不存在。',
  },
  'library.no_earlier': {
    en: 'The head does not have this previous file (any more).',
    zh: '此头模已没有这个以前的文件。',
  },
  'library.moved_outside': {
    en: 'It may have been moved or deleted outside the studio.',
    zh: '它可能在工作室之外被移动或删除。',
  },
  'library.folder_unusable': {
    en: 'The studio can’t use its folder of libraries, {folder}. {problem}',
    zh: '工作室无法使用模型库文件夹 {folder}。{problem}',
  },
  'library.repair_and_start': {
    en: 'Connect its disk, free some space or give this user access, then start the studio again.',
    zh: '请连接其磁盘、释放空间或授予访问权限，然后重新启动工作室。',
  },
  'library.not_at': {
    en: 'The library “{name}” is not at {folder}.',
    zh: '模型库“{name}”不在 {folder}。',
  },
  'library.connect_disk': {
    en: 'Connect its disk, or add it again at its new location.',
    zh: '请连接其所在的磁盘，或在其现在的位置重新添加。',
  },
  'library.no_collection': {
    en: 'There is no such collection (any more).',
    zh: '此收藏集已不存在。',
  },
  'library.choose_folder': {
    en: 'Library folder',
    zh: '选择模型库的文件夹',
  },
  'library.choose_place': {
    en: 'Folder for the library',
    zh: '选择模型库的存放位置',
  },
  'library.file_missing': {
    en: 'The model’s file is missing.',
    zh: '模型的文件缺失。',
  },
  'library.verify': {
    en: 'Verify the library.',
    zh: '请校验模型库。',
  },
  'library.no_search': {
    en: 'There is no such search (any more).',
    zh: '此搜索已不存在。',
  },
  'library.too_many': {
    en: '{count} models are too many for one file ({most}).',
    zh: '{count} 个模型对一个文件而言过多（{most}）。',
  },
  'library.narrow_down': {
    en: 'Narrow the search.',
    zh: '请缩小搜索范围。',
  },
  'library.no_picture': {
    en: 'It has no picture: {why}.',
    zh: '没有缩略图：{why}。',
  },
  'library.picture_ended': {
    en: 'The studio ended twice while it drew the picture, and did not try again.',
    zh: '绘制时工作室两次意外结束，因此没有再试。',
  },
  'library.no_webp': {
    en: 'The picture is not WebP.',
    zh: '图片不是 WebP。',
  },
  'library.file_unreadable': {
    en: "“{fileName}” in {folder} can't be read by this studio.",
    zh: '此工作室无法读取 {folder} 中的“{fileName}”。',
  },
  'library.restore_or_remove': {
    en: 'Restore it from a backup, or remove it. Removal loses collections and saved searches; models stay.',
    zh: '请从备份恢复，或将其移除：收藏集与保存的搜索会丢失，模型会保留。',
  },
  'record.not_json': {
    en: 'It is not JSON.',
    zh: '不是 JSON。',
  },
  'record.newer': {
    en: 'likeness.json was written by a newer Likeness Studio (schema {version}).',
    zh: 'likeness.json 由更新版本的 Likeness Studio 写入（格式 {version}）。',
  },
  'record.update': {
    en: 'Update Likeness Studio. Nothing in the folder was changed.',
    zh: '请更新 Likeness Studio。文件夹未作任何改动。',
  },
  'record.no_record': {
    en: 'It is not a record.',
    zh: '不是记录。',
  },
  'record.unreadable': {
    en: "likeness.json can't be read: {why}.",
    zh: '无法读取 likeness.json：{why}。',
  },
  'record.put_right': {
    en: 'Correct it in a text editor, or remove it: the model is then imported again.',
    zh: '请用文本编辑器更正，或将其移除：模型会重新导入。',
  },
  'library.too_many_tags': {
    en: '“{name}” would have more than 50 tags.',
    zh: '“{name}”的标签将超过 50 个。',
  },
  'library.nothing_to_export': {
    en: 'There is nothing to export.',
    zh: '没有可导出的内容。',
  },
  'library.export_gone': {
    en: 'One of the models to export no longer exists.',
    zh: '要导出的某个模型已不存在。',
  },
  'library.choose_again': {
    en: 'Choose again.',
    zh: '请重新选择。',
  },
  'library.no_file': {
    en: 'The file does not exist.',
    zh: '文件不存在。',
  },
  'library.not_imported': {
    en: "“{name}” can't be imported. {text}",
    zh: '无法导入“{name}”。{text}',
  },
  'library.export_as_glb': {
    en: 'Export it as GLB (binary glTF 2.0) or VRM.',
    zh: '请将其导出为 GLB（二进制 glTF 2.0）或 VRM。',
  },
  'library.went_missing': {
    en: '“{name}” went missing while it was imported.',
    zh: '“{name}”在导入过程中消失。',
  },
  'library.photo_gone': {
    en: 'There is no photo of “{name}” to use.',
    zh: '“{name}”没有可用的照片。',
  },
  'library.add_photo': {
    en: 'Add the photo again under Portraits.',
    zh: '请在“肖像”中重新添加照片。',
  },
  'library.no_head': {
    en: 'The downloaded file is not a head. {text}',
    zh: '收到的文件不是头模。{text}',
  },
  'library.retry_fetch': {
    en: 'Retry: this downloads it again without a new order. If that does not help, tell the operator of the server.',
    zh: '请重试：会重新获取，不会重新下单。如仍无效，请告知生成它的服务器的运营者。',
  },
  'library.model_unreadable': {
    en: "The model can't be read: {cause}.",
    zh: '无法读取模型：{cause}。',
  },
  'library.fetch_again': {
    en: 'Download or export it again.',
    zh: '请重新获取或导出。',
  },
  'search.no_field': {
    en: '“{word}”: there is no such field. Use {fields}, or put words with a colon in quotes.',
    zh: '“{word}”：没有此字段。可用的有 {fields}；要原样查找带冒号的词，请加引号。',
  },
  'search.unknown_value': {
    en: '“{word}”: use {field}: with {known}.',
    zh: '“{word}”：{field}: 可用 {known}。',
  },
  'search.stars': {
    en: '“{word}”: write rating:4, rating:>3, rating:<=2, with stars from 0 to 5.',
    zh: '“{word}”：请写 rating:4、rating:>3 或 rating:<=2，星级为 0 到 5。',
  },
  'search.day': {
    en: '“{word}”: write made:2026-11-03, made:2026-11, made:<2026-11-01, made:2026-11-01..2026-11-09 or made:today.',
    zh: '“{word}”：请写 made:2026-11-03、made:2026-11、made:<2026-11-01、made:2026-11-01..2026-11-09 或 made:today。',
  },
  'search.open_quote': {
    en: '{word}: the closing quote is missing.',
    zh: '{word}：缺少右引号。',
  },
  'verify.no_model': {
    en: 'The folder has no model.',
    zh: '文件夹中没有模型。',
  },
  'verify.take_out': {
    en: 'Move it out of the library, or put a model.glb into it.',
    zh: '请将其移出模型库，或放入 model.glb。',
  },
  'verify.model_fault': {
    en: 'model.glb: {text}',
    zh: 'model.glb：{text}',
  },
  'verify.make_again': {
    en: 'Make the head again from its photo, or restore the file from a backup.',
    zh: '请用其照片重新制作头模，或从备份恢复文件。',
  },
  'verify.changed': {
    en: 'model.glb has changed since it was added.',
    zh: 'model.glb 与放入时不同。',
  },
  'verify.on_purpose': {
    en: 'If you edited it on purpose, this is fine; otherwise restore it from a backup.',
    zh: '如果是您有意修改的，则一切正常；否则请从备份恢复。',
  },
  'verify.photo_missing': {
    en: 'The photo is missing, unreadable or not an image, or its record does not come from this studio.',
    zh: '照片不在原处、无法读取、不是照片，或由并非来自此工作室的记录指定。',
  },
  'verify.put_back': {
    en: 'Put it back, or leave it: the head does not need it.',
    zh: '请将其放回，或不予理会：头模不需要它。',
  },
  'erasure.done': {
    en: 'The head’s folder (model, photo, thumbnail), its rows and its exports were erased.',
    zh: '头模的文件夹（模型、照片、缩略图）、其记录行与导出文件已清除。',
  },
  'erasure.failed': {
    en: '{failed} {failed, plural, one {head} other {heads}} could not be erased: {problem}.',
    zh: '有 {failed} 个头模无法清除：{problem}。',
  },
  'erasure.resolve': {
    en: 'Resolve this, then try again.',
    zh: '请排除此问题，然后重试。',
  },
} as const;
