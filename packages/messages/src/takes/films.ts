/** Films of takes. */
export const filmMessages = {
  'film.choose_folder': {
    en: 'Folder for the film',
    zh: '选择保存影片的文件夹',
  },
  'film.cancelled': {
    en: 'The film was cancelled.',
    zh: '影片已取消。',
  },
  'film.gone': {
    en: 'This film has ended, or another page draws it.',
    zh: '此影片已结束，或正由另一页面绘制。',
  },
  'film.too_many': {
    en: '{most} films are in progress, the maximum at one time.',
    zh: '已有 {most} 部影片正在制作，这是同时制作的上限。',
  },
  'film.too_long': {
    en: 'The take is too long for a film of this rate.',
    zh: '该录制过长，无法以此帧率制作影片。',
  },
  'film.not_of_it': {
    en: 'The page sent data that does not belong to this film.',
    zh: '页面发送的内容不属于此影片。',
  },
  'film.other_name': {
    en: 'Choose another name, or allow overwriting.',
    zh: '请换一个名称，或允许覆盖。',
  },
  'film.no_encoders': {
    en: 'This browser has no encoders for films.',
    zh: '此浏览器没有影片编码器。',
  },
  'film.newer_browser': {
    en: 'Use the desktop app or a current Chrome, Edge or Firefox, or film it as a PNG sequence.',
    zh: '请使用桌面应用或新版 Chrome、Edge 或 Firefox，或导出为 PNG 序列。',
  },
  'film.no_vp9': {
    en: 'This browser can’t encode VP9, which WebM needs, at this size.',
    zh: '此浏览器无法以此尺寸编码 WebM 所用的 VP9。',
  },
  'film.as_png': {
    en: 'Choose a smaller size, or film it as a PNG sequence.',
    zh: '请选择较小的尺寸，或导出为 PNG 序列。',
  },
  'film.no_h264': {
    en: 'This browser can’t encode H.264, which MP4 needs: some builds of Chromium lack it.',
    zh: '此浏览器无法编码 MP4 所用的 H.264：某些 Chromium 版本不含该编码器。',
  },
  'film.as_webm': {
    en: 'Film it as WebM, or use Chrome or the desktop app.',
    zh: '请导出为 WebM，或使用 Chrome 或桌面应用。',
  },
  'film.not_drawn': {
    en: 'The film could not be drawn: {problem}.',
    zh: '无法绘制影片：{problem}。',
  },
  'film.smaller': {
    en: 'Try a smaller size. If it happens again, report it.',
    zh: '请尝试较小的尺寸。如再次发生，请报告。',
  },
  'film.no_page': {
    en: 'This machine can’t draw a film: it has no Chromium, Chrome or Edge.',
    zh: '此处无法绘制影片：未找到 Chromium、Chrome 或 Edge。',
  },
  'film.install_chromium': {
    en: 'Install one, set its path in LIKENESS_CHROMIUM, or open the desktop app and repeat the command.',
    zh: '请安装其一，或在 LIKENESS_CHROMIUM 中指明，或打开桌面应用后重复此命令。',
  },
  'film.page_ended': {
    en: 'The page that draws the film ended before the film did.',
    zh: '绘制影片的页面在影片完成前已关闭。',
  },
  'film.unknown_ending': {
    en: '“{ending}” is not a film format.',
    zh: '没有以“{ending}”结尾的影片格式。',
  },
  'film.known_endings': {
    en: 'Use a .webm or .mp4 file, or a folder for a PNG sequence.',
    zh: '请指定 .webm 或 .mp4 文件，或用于 PNG 序列的文件夹。',
  },
  'film.no_glb': {
    en: '“{file}” isn’t a GLB file.',
    zh: '“{file}”不是 GLB 文件。',
  },
  'film.no_picture': {
    en: '“{file}” can’t be the background picture of a film.',
    zh: '“{file}”不是可用作影片背景的图片。',
  },
  'film.picture_kinds': {
    en: 'Choose a JPEG, HEIC, PNG, WebP, AVIF, TIFF or GIF file.',
    zh: '请选择 JPEG、HEIC、PNG、WebP、AVIF、TIFF 或 GIF 文件。',
  },
  'film.picture_unreadable': {
    en: '“{file}” can’t be read as a picture: it is damaged, in an unsupported format, or has too many pixels.',
    zh: '无法将“{file}”作为图片读取：文件已损坏、格式未知或像素过多。',
  },
  'film.picture_large': {
    en: '“{file}” is too large: a background picture can have at most {most} MB.',
    zh: '“{file}”过大：背景图片最大为 {most} MB。',
  },
  'film.picture_smaller': {
    en: 'Make it smaller, or save it as JPEG.',
    zh: '请缩小图片，或另存为 JPEG。',
  },
  'film.picture_gone': {
    en: 'The background picture no longer exists.',
    zh: '背景图片已不存在。',
  },
  'film.picture_again': {
    en: 'Choose it again: the studio keeps pictures until it ends.',
    zh: '请重新选择：图片只保留到工作室关闭。',
  },
  'film.picture_or_alpha': {
    en: 'A film is either transparent or has a background picture: omit --alpha or --background-image.',
    zh: '影片要么透明，要么带有背景图片：请去掉 --alpha 或 --background-image。',
  },
  'film.no_picture_file': {
    en: 'There is no file “{file}”.',
    zh: '没有文件“{file}”。',
  },
  'film.page_silent': {
    en: 'The page that draws the film did not start within {seconds} s.',
    zh: '用于绘制影片的页面在 {seconds} 秒内没有开始。',
  },
} as const;
