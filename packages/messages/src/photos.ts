export const photosMessages = {
  'manifest.empty': {
    en: 'The manifest is empty.',
    zh: '清单为空。',
  },
  'manifest.unknown_column': {
    en: 'There is no column “{title}”. Use {columns}.',
    zh: '没有“{title}”列；可用的列为 {columns}。',
  },
  'manifest.no_file_column': {
    en: 'The column “file” is missing.',
    zh: '缺少“file”列。',
  },
  'manifest.too_many_cells': {
    en: 'This line has more than the {count} {count, plural, one {column} other {columns}} of the first one.',
    zh: '此行的列数超过首行的 {count} 列。',
  },
  'manifest.no_sex': {
    en: '“{word}” is not a sex; write female or male.',
    zh: '“{word}”不是性别；请写 female 或 male。',
  },
  'manifest.no_eyelid': {
    en: '“{word}” is not an eyelid type; write single or double.',
    zh: '“{word}”不是眼皮类型；请写 single 或 double。',
  },
  'manifest.name_too_long': {
    en: 'The name is longer than 120 characters.',
    zh: '名称超过 120 个字符。',
  },
  'manifest.too_many_tags': {
    en: 'At most 50 tags of 60 characters each.',
    zh: '最多 50 个标签，每个不超过 60 个字符。',
  },
  'manifest.no_options': {
    en: '“{word}” is not an option; write for example smile=1; eyeColour=#5a7fa0.',
    zh: '无法使用“{word}”；请写成例如 smile=1; eyeColour=#5a7fa0。',
  },
  'manifest.too_many_of_person': {
    en: '“{person}” has more than {most} photos; those from this line on stay separate.',
    zh: '“{person}”的照片超过 {most} 张；从此行起的照片单独保留。',
  },
  'person.too_many': {
    en: '{count} photos are too many for one person ({most} at most).',
    zh: '{count} 张照片对一个人来说过多（最多 {most} 张）。',
  },
  'person.leave_out': {
    en: 'Remove some: one from the front and one from each side are enough.',
    zh: '去掉用处最小的照片：正面一张、左右各一张就足够。',
  },
  'person.in_two': {
    en: 'A photo can belong to only one person, but one belongs to two.',
    zh: '一张照片只能属于一个人，但有一张被列入了两个人。',
  },
  'person.one_each': {
    en: 'Keep it with one of them.',
    zh: '请只保留在其中一个人名下。',
  },
  'photo.server_takes_one': {
    en: 'This server accepts one photo per person.',
    zh: '此服务器每人只接受一张照片。',
  },
  'manifest.file_missing': {
    en: 'The file is missing.',
    zh: '缺少文件名。',
  },
  'manifest.open_quote': {
    en: 'The quote is not closed.',
    zh: '引号没有闭合。',
  },
  'manifest.no_photo': {
    en: 'There is no photo “{file}”.',
    zh: '没有照片“{file}”。',
  },
  'manifest.several_photos': {
    en: 'Several photos are called “{file}”; write the folder too.',
    zh: '有多张照片名为“{file}”；请同时写明文件夹。',
  },
  'photo.not_checked': {
    en: 'The photo could not be checked: {problem}.',
    zh: '无法检查此照片：{problem}。',
  },
  'photo.uncertain_outline': {
    en: 'It is not clear where the head ends and the background begins.',
    zh: '头部与背景的边界不清楚。',
  },
  'photo.hair_cut_off': {
    en: 'The hair is cut off by the edge of the photo.',
    zh: '头发被照片边缘裁掉了。',
  },
  'photo.small_face': {
    en: 'The face is rather small; a closer photo makes a sharper head.',
    zh: '面部偏小；更近的照片能得到更清晰的头模。',
  },
  'photo.slightly_turned': {
    en: 'The head is turned a little; a photo that looks straight ahead makes a better likeness.',
    zh: '头部略有转向；正对镜头的照片会更像本人。',
  },
  'photo.teeth_showing': {
    en: 'The mouth is open or shows teeth. The head closes it, which may leave traces.',
    zh: '嘴张开或露齿而笑；头模的嘴会合上，可能留下痕迹。',
  },
  'photo.eyes_closed': {
    en: 'The eyes seem closed or nearly closed, so the eyes of the head are a guess.',
    zh: '眼睛似乎闭着或几乎闭着；头模的眼睛将由引擎补出。',
  },
  'photo.looking_aside': {
    en: 'The eyes look aside; a photo that looks into the camera makes a better head.',
    zh: '视线偏向一侧；直视镜头的照片能得到更好的头模。',
  },
  'photo.glasses': {
    en: 'The head gets the glasses as a mesh of its own, `Glasses`. To leave them off, choose “Glasses: Removed” when you make it again (in an options file: "glasses": "removed"), or use a photo without them.',
    zh: '眼镜会作为单独的网格 `Glasses` 加到头模上。如不需要，请在重新制作时选择“眼镜：去除”（选项文件中写作 "glasses": "removed"），或使用不戴眼镜的照片。',
  },
  'photo.other_faces': {
    en: 'The photo has other, smaller faces; they are ignored.',
    zh: '还有其他较小的面部，已被忽略。',
  },
  'photo.no_colour': {
    en: 'The photo has no colour, so the head has none either.',
    zh: '照片没有颜色，头模也不会有。',
  },
  'photo.soft_focus': {
    en: 'The photo is a little out of focus.',
    zh: '照片略微失焦。',
  },
  'photo.dark': {
    en: 'The photo is rather dark.',
    zh: '照片偏暗。',
  },
  'photo.blown_out': {
    en: 'Part of the face is overexposed.',
    zh: '面部有一部分因过曝变成纯白。',
  },
  'photo.perhaps_drawing': {
    en: 'This may be a drawing: the face has few, flat tones.',
    zh: '这可能是画作：面部的色调少而平。',
  },
  'photo.perhaps_statue': {
    en: 'This may be a statue: the photo has colour, but the face has none.',
    zh: '这可能是雕像：照片有颜色，而面部没有。',
  },
  'photo.odd_skin': {
    en: 'The face has no skin colour: coloured light, paint or bronze will show on the head.',
    zh: '面部没有皮肤应有的颜色：彩色光线、颜料或青铜色会出现在头模上。',
  },
  'photo.outline_hard': {
    en: 'The hair hardly differs from the background.',
    zh: '头发的轮廓很难与背景区分。',
  },
  'photo.uncertain_hair': {
    en: 'Is this hair? A shaved head and very short hair look alike. Check the outline, and mark hair or background.',
    zh: '这是头发吗？光头与极短的头发看起来很像。请查看轮廓，并标出头发或背景。',
  },
  'photo.too_many_megabytes': {
    en: 'The photo has {size} MB; the limit is {limit} MB.',
    zh: '照片有 {size} MB；最多读取 {limit} MB。',
  },
  'photo.thread_ended': {
    en: 'The thread that checked it ended: {reason, select, exit_code_brief {code {code}} other {{reason}}}.',
    zh: '检查它的线程已结束：{reason, select, exit_code_brief {代码 {code}} other {{reason}}}。',
  },
  'photo.took_too_long': {
    en: 'It took longer than {seconds} seconds.',
    zh: '耗时超过 {seconds} 秒。',
  },
  'photo.engine_ended': {
    en: 'The engine ended {times} {times, plural, one {time} other {times}} while it checked this photo.',
    zh: '引擎在检查此照片时退出了 {times} 次。',
  },
  'photo.engine_unreadable': {
    en: 'The engine’s answer about this photo can’t be read (HTTP {status}).',
    zh: '无法读取引擎对此照片的回答（HTTP {status}）。',
  },
  'photo.engine_says': { en: '{words}', zh: '{words}' },
} as const;
