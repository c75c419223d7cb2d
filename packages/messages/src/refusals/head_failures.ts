/** Why no head was made, by the code of the error. */
export const headFailureMessages = {
  'portrait.not_an_image': {
    en: 'This file is not a picture that can be read. Use a JPEG, HEIC, PNG, WebP, TIFF or AVIF photo.',
    zh: '无法把此文件读取为图片。请使用 JPEG、HEIC、PNG、WebP、TIFF 或 AVIF 格式的照片。',
  },
  'portrait.damaged_image': {
    en: 'The picture file is damaged or incomplete. Export or copy the photo again.',
    zh: '图片文件已损坏或不完整。请重新导出或复制这张照片。',
  },
  'portrait.animated_image': {
    en: 'The picture is animated ({pages} {pages, plural, one {frame} other {frames}}). Save one frame as a still photo.',
    zh: '这是动态图片（共 {pages} 帧）。请将其中一帧另存为静态照片。',
  },
  'portrait.too_large': {
    en: 'The file has {megabytes} MB; at most {limit} MB are accepted. Save it smaller.',
    zh: '文件大小为 {megabytes} MB，上限为 {limit} MB。请压缩后再试。',
  },
  'portrait.image_too_small': {
    en: 'The picture is only {width} × {height} pixels. Use one of at least {limit} pixels a side.',
    zh: '图片只有 {width} × {height} 像素。请使用每边至少 {limit} 像素的照片。',
  },
  'portrait.no_face': {
    en: 'No human face was found. Use a photo of one person who looks into the camera, the whole face in view and evenly lit.',
    zh: '未检测到人脸。请使用一张单人正面照片，人物直视镜头，面部完整且光线均匀。',
  },
  'portrait.several_faces': {
    en: '{count} faces of similar size were found. Crop the photo to the one person you want.',
    zh: '检测到 {count} 张大小相近的人脸。请裁剪照片，只保留需要的那个人。',
  },
  'portrait.face_too_small': {
    en: "The face is too small: the eyes' outer corners are {iod} pixels apart, at least {limit} are needed. Use a closer or larger photo.",
    zh: '人脸太小：两眼外眼角相距仅 {iod} 像素，至少需要 {limit} 像素。请使用更近或分辨率更高的照片。',
  },
  'portrait.face_cut_off': {
    en: 'The face is cut off by the edge of the photo. Use one in which forehead, chin and both cheeks are in view.',
    zh: '人脸被照片边缘裁掉了。请使用额头、下巴和两侧脸颊都完整可见的照片。',
  },
  'portrait.too_dark': {
    en: 'The face is too dark to see its features: its brightness is {brightness} of 255, at least {limit} is needed. Use a photo with more, and even, light on the face.',
    zh: '面部过暗，看不清五官：亮度为 {brightness}（满值 255），至少需要 {limit}。请使用光线更充足、均匀的照片。',
  },
  'portrait.too_bright': {
    en: 'The face is overexposed: {percent} % of it is lost in white, at most {limit} % may be. Use a photo with softer light.',
    zh: '面部曝光过度：{percent} % 的面部已成纯白，最多允许 {limit} %。请使用光线更柔和的照片。',
  },
  'portrait.too_blurred': {
    en: 'The face is out of focus or blurred by motion: its blur is {percent} %, at most {limit} % works. Use a sharp photo.',
    zh: '面部失焦或有运动模糊：模糊度为 {percent} %，最多允许 {limit} %。请使用清晰的照片。',
  },
  'portrait.cancelled': {
    en: 'The job was cancelled before the head was done.',
    zh: '任务在头模完成之前已被取消。',
  },
  'portrait.worker_died': {
    en: 'The engine failed on this photo and has recovered. Try again; if it fails once more, save the photo as a new JPEG.',
    zh: '引擎在处理此照片时出错，现已恢复。请重试；如再次失败，请将照片另存为新的 JPEG 后再试。',
  },
  'portrait.took_too_long': {
    en: 'It took longer than {seconds} seconds. Save the photo as a new JPEG and try again.',
    zh: '耗时超过 {seconds} 秒。请将照片另存为新的 JPEG 后再试。',
  },
  'portrait.photo_not_kept': {
    en: 'The engine keeps no photo of this name. Send its file.',
    zh: '引擎未保留该名称的照片。请发送文件。',
  },
  'portrait.engine_closed': {
    en: 'The engine was shut down before the head was done. Submit the photo again.',
    zh: '引擎在头模完成之前已关闭。请重新提交照片。',
  },
  'portrait.too_many_pixels': {
    en: 'The picture has {megapixels} megapixels; a {kind} may have at most {limit}. {kind, select, JPEG {Save it smaller.} other {Save it as a baseline JPEG, or smaller.}}',
    zh: '图片有 {megapixels} 百万像素，{kind} 格式的上限为 {limit} 百万。{kind, select, JPEG {请缩小图片后再试。} other {请另存为基线 JPEG，或缩小图片。}}',
  },
  'portrait.turned_too_far': {
    en: 'The head is turned {degrees}° {way, select, aside {to the side} other {up or down}}; at most {limit}° work. Use a photo that looks straight into the camera.',
    zh: '头部向{way, select, aside {侧面} other {上或下}}转了 {degrees}°，最多允许 {limit}°。请使用正对镜头的照片。',
  },
  'portrait.covered_face': {
    en: '{what, select, eyes {The eyes are covered or too dark to see. Take off sunglasses and move hair from the eyes.} mouth {The mouth and nose are covered. Take off the mask and keep hands away from the face.} other {The face is covered or is not a photographed human face. Use a photo with nothing in front of the face.}}',
    zh: '{what, select, eyes {眼睛被遮挡或看不清。请摘下墨镜，并拨开遮住眼睛的头发。} mouth {口鼻被遮挡。请摘下口罩，并不要用手遮挡面部。} other {面部被遮挡，或不是真人照片。请使用面部没有遮挡的照片。}}',
  },
} as const;
