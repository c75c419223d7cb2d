export const batchMessages = {
  'batch.left_in_doubt': {
    en: 'Given up: the server may have received it, and may bill it.',
    zh: '已放弃等待：服务器可能已收到，并可能计费。',
  },
  'batch.sent_without_answer': {
    en: 'This photo was sent before, and no answer came: the server may have received it, and may bill it.',
    zh: '此照片曾发送过，但没有收到应答：服务器可能已收到，并可能计费。',
  },
  'batch.look_in_account': {
    en: 'Check your account on the server: enter the model’s id if it has one, or send the photo again.',
    zh: '请在该服务器的账户中查看：如有模型编号，请填写；否则请重新发送照片。',
  },
  'batch.one_id_one_photo': {
    en: 'A model’s id belongs to one photo.',
    zh: '一个模型编号只属于一张照片。',
  },
  'batch.settle_one_by_one': {
    en: 'Settle the photos one by one, each with its id.',
    zh: '请逐张处理照片，分别填写各自的编号。',
  },
  'batch.given_up': {
    en: 'Given up: the server may have received it.',
    zh: '已放弃：服务器可能已收到。',
  },
  'batch.other_studio': {
    en: 'Another Likeness Studio works on the queue of this data folder.',
    zh: '另一个 Likeness Studio 正在处理此数据文件夹的队列。',
  },
  'batch.close_other_studio': {
    en: 'Close it, or use the queue there.',
    zh: '请将其关闭，或在那里使用队列。',
  },
  'batch.defect': {
    en: 'An error in the studio with this photo: {problem}.',
    zh: '工作室在处理此照片时出错：{problem}。',
  },
  'batch.choose_folder': {
    en: 'A folder of photos',
    zh: '选择照片文件夹',
  },
  'batch.too_many_images': {
    en: '{count} images at once are too many (1,000).',
    zh: '一次提交 {count} 张图像过多（最多 1,000 张）。',
  },
  'batch.fewer_images': {
    en: 'Submit fewer, or use “likeness image submit”.',
    zh: '请减少数量，或使用“likeness image submit”。',
  },
  'batch.images_under_way': {
    en: 'Other images are being submitted.',
    zh: '正在提交其他图像。',
  },
  'batch.wait_for_images': {
    en: 'Wait for them, or cancel what is left.',
    zh: '请等待其完成，或取消剩余的。',
  },
  'batch.photo_gone': {
    en: 'The photo no longer exists.',
    zh: '照片已不在此处。',
  },
  'batch.add_again': {
    en: 'Add it again.',
    zh: '请重新添加。',
  },
  'batch.preview_cancelled': { en: 'The preview was cancelled.', zh: '预览已取消。' },
  'batch.sex_not_said': {
    en: 'The sex of {count} {count, plural, one {photo} other {photos}} is missing, for example of “{example}”.',
    zh: '有 {count} 张照片没有注明性别，例如“{example}”。',
  },
  'batch.say_sex': {
    en: 'Use --sex female or --sex male for all, or a --manifest with the sex of each.',
    zh: '请用 --sex female 或 --sex male 统一指定，或用 --manifest 逐张说明。',
  },
  'walk.folder_unreadable': {
    en: 'The folder can’t be read.',
    zh: '无法读取此文件夹。',
  },
  'walk.link_loop': {
    en: 'A link leads back to a folder that was already searched.',
    zh: '链接指回了已查看过的文件夹。',
  },
  'walk.hidden': {
    en: 'Hidden file.',
    zh: '隐藏文件。',
  },
  'walk.link_out': {
    en: 'A link leads out of the folder, to {to, select, another_place {another place} other {{to}}}. To use it, add it directly.',
    zh: '链接指向文件夹之外的{to, select, another_place {其他位置} other { {to}}}。如需要，请直接选择它。',
  },
  'walk.neither': {
    en: 'It is neither a file nor a folder.',
    zh: '既不是文件，也不是文件夹。',
  },
  'walk.empty': {
    en: 'The file is empty.',
    zh: '文件为空。',
  },
  'walk.link_nowhere': {
    en: 'The link leads nowhere.',
    zh: '链接没有目标。',
  },
  'walk.file_unreadable': {
    en: 'The file can’t be read.',
    zh: '无法读取此文件。',
  },
  'walk.raw': {
    en: 'A camera’s raw file. Export it as JPEG or TIFF.',
    zh: '相机的 RAW 文件。请导出为 JPEG 或 TIFF。',
  },
  'walk.sidecar': {
    en: 'A sidecar file of a photo, not a photo.',
    zh: '照片的附属文件，本身不是照片。',
  },
  'walk.no_picture': {
    en: 'Its content is not an image, despite its name.',
    zh: '无论文件名如何，其内容不是图片。',
  },
  'walk.format_not_taken': {
    en: '{format} is not supported. Save it as JPEG or PNG.',
    zh: '不支持 {format} 图片。请另存为 JPEG 或 PNG。',
  },
  'batch.file_gone': {
    en: '“{fileName}” no longer exists.',
    zh: '“{fileName}”已不在原处。',
  },
  'walk.same_as': {
    en: 'The same image as “{of}”.',
    zh: '与“{of}”是同一张图片。',
  },
  'walk.table_too_large': {
    en: 'This table is larger than 8 MB, too large for a list of photos.',
    zh: '此表格大于 8 MB：不是照片清单。',
  },
  'walk.no_manifest': {
    en: 'It has no column “file”, so it can’t refer to photos.',
    zh: '其中没有名为“file”的列，因此没有说明任何照片。',
  },
  'walk.tray_full': {
    en: 'Portraits can have at most {most} photos.',
    zh: '“肖像”最多容纳 {most} 张照片。',
  },
  'batch.cancelled_after_submit': {
    en: 'Cancelled after it was submitted; it may be billed.',
    zh: '提交之后被取消；可能仍会计费。',
  },
  'batch.cancelled_in_making': {
    en: 'Cancelled while the head was being made.',
    zh: '在制作头模的过程中被取消。',
  },
  'batch.made_here': {
    en: 'The head is ready: trying again only downloads it.',
    zh: '头模已经制作完成：重试只会取回它。',
  },
  'batch.unknown_here': {
    en: 'The built-in engine no longer has this head. Make it again.',
    zh: '内置引擎已不再保有此头模。请重新制作。',
  },
  'batch.photo_unknown': {
    en: 'The studio has no record of this photo any more.',
    zh: '已找不到此照片的记录。',
  },
  'batch.photo_moved': {
    en: '“{fileName}” is no longer where it was.',
    zh: '“{fileName}”已不在原来的位置。',
  },
  'batch.put_back': {
    en: 'Put it back and retry, or add it again.',
    zh: '请将其放回原处后重试，或重新添加。',
  },
  'batch.photo_changed': {
    en: '“{fileName}” was changed after it was queued.',
    zh: '“{fileName}”在加入队列之后被修改过。',
  },
  'batch.add_as_it_is': {
    en: 'Add it again to send it as it is now.',
    zh: '请重新添加，以便按现在的内容发送。',
  },
  'batch.other_photo': {
    en: 'Use another photo, or crop this one.',
    zh: '请换一张照片，或裁切这一张。',
  },
  'batch.crop_failed': {
    en: "The photo can't be cropped: {problem}.",
    zh: '无法裁切照片：{problem}。',
  },
  'batch.send_whole': {
    en: 'Send the whole photo.',
    zh: '请发送整张照片。',
  },
  'batch.protection_gone': {
    en: 'This photo was sent with a key that made it safe to repeat. The server no longer accepts such keys; it may have received the photo, and may bill it.',
    zh: '此照片发送时带有可安全重发的标识，但服务器现已不再接受这种标识；它可能已收到照片，并可能计费。',
  },
  'batch.cancelled_while_sent': {
    en: 'Cancelled while it was being sent; the server may have received it, and may bill it.',
    zh: '发送过程中被取消；服务器可能已收到，并可能计费。',
  },
  'batch.model_unknown': {
    en: 'The server no longer has the model {remoteModelId}. Trying again asks for it once more and orders nothing; a new order may be billed again.',
    zh: '服务器已不认识模型 {remoteModelId}。重试会再查询一次，不会下单；重新下单可能会再次计费。',
  },
  'batch.model_paid': {
    en: 'The model {remoteModelId} is ordered: trying again downloads it and orders nothing.',
    zh: '模型 {remoteModelId} 已下单：重试只会取回它，不会重新下单。',
  },
  'batch.moved_on': {
    en: '“{name}” has changed meanwhile.',
    zh: '“{name}”的状态在此期间已经改变。',
  },
  'batch.look_again': {
    en: 'Check it again.',
    zh: '请重新查看。',
  },
  'batch.ended_while_sent': {
    en: 'The studio ended while this photo was being sent. The server may have received it, and may bill it.',
    zh: '发送此照片时工作室退出了。服务器可能已收到，并可能计费。',
  },
  'batch.connection_gone': {
    en: 'The connection of this photo no longer exists.',
    zh: '此照片排队时所用的连接已不存在。',
  },
  'batch.retry_other': {
    en: 'Retry it with another connection.',
    zh: '请用其他连接重试。',
  },
  'batch.server_failed': { en: '{words}', zh: '服务器未能完成头模。服务器原话：“{words}”' },
  'batch.photos': { en: 'Photos', zh: '照片' },
  'batch.finished': { en: 'The batch is done', zh: '批处理已完成' },
  'batch.finished_counts': {
    en: '{done} {done, plural, one {head} other {heads}} made, {notDone} not.',
    zh: '已生成 {done} 个头模，{notDone} 个未完成。',
  },
} as const;
