export const takesMessages = {
  'live.too_much_sound': {
    en: 'The page sent more audio than the engine could process.',
    zh: '发送的声音多于引擎同时能够应答的数量。',
  },
  'live.send_slower': {
    en: 'Send the file again, in step with the answers.',
    zh: '请重新发送文件，并随着面部数据的到达逐步发送。',
  },
  'live.server_too_slow': {
    en: 'The server is too slow for this file: the built-in engine made a part of it.',
    zh: '服务器对此文件而言太慢：有一部分交给了内置引擎。',
  },
  'live.defect': {
    en: 'An error in the studio; the log has the details.',
    zh: '工作室出错；详情见日志。',
  },
  'takes.cannot_read': {
    en: "“{path}” can't be read.",
    zh: '无法读取“{path}”。',
  },
  'takes.check_name': {
    en: 'Check the name.',
    zh: '请检查名称。',
  },
  'takes.known_formats': {
    en: 'Use WAV, MP3, FLAC, OGG or M4A; with ffmpeg, also other audio and video files.',
    zh: '支持 WAV、MP3、FLAC、OGG 和 M4A；安装 ffmpeg 后还支持其他音频和视频文件。',
  },
  'takes.no_ffmpeg': {
    en: '“{file}” is not a WAV file, and ffmpeg is not installed.',
    zh: '“{file}”不是 WAV 文件，且未安装 ffmpeg。',
  },
  'takes.install_ffmpeg': {
    en: 'Install ffmpeg, or drop the file on Takes in the window: it reads MP3, FLAC, OGG and M4A.',
    zh: '请安装 ffmpeg，或将文件拖到窗口的“录制”中：那里支持 MP3、FLAC、OGG 和 M4A。',
  },
  'takes.too_long': {
    en: '“{file}” is longer than three hours.',
    zh: '“{file}”的声音长于三小时。',
  },
  'takes.cut': {
    en: 'Split it into parts.',
    zh: '请将其切分。',
  },
  'takes.unreadable': {
    en: "This take can't be read: {damaged}.",
    zh: '无法读取此录制：{damaged}。',
  },
  'takes.put_right': {
    en: 'Correct its take.json, or move the take to the trash. Its audio may be intact.',
    zh: '请更正其 take.json，或将其移到回收站。其声音可能完好。',
  },
  'takes.join_too_long': {
    en: 'Together these takes are longer than three hours.',
    zh: '这些录制合计超过三小时。',
  },
  'takes.join_fewer': { en: 'Join fewer of them.', zh: '请减少合并的录制。' },
  'takes.gone': {
    en: 'This take does not exist (any more).',
    zh: '此录制已不存在。',
  },
  'takes.look_again': {
    en: 'Check the list of takes again.',
    zh: '请重新查看录制列表。',
  },
  'takes.not_in_trash': {
    en: 'This take is not in the trash (any more).',
    zh: '此录制已不在回收站中。',
  },
  'takes.no_full_pass': {
    en: 'This take has no full pass yet.',
    zh: '此录制还没有完整分析。',
  },
  'takes.reanalyse_first': {
    en: 'Choose “Re-analyse” first and wait until it is done.',
    zh: '请先选择“重新分析”，并等待其完成。',
  },
  'takes.being_heard': {
    en: 'This take is being re-analysed.',
    zh: '正在重新分析此录制。',
  },
  'takes.wait_or_stop': {
    en: 'Wait until it is done, or stop it.',
    zh: '请等待其完成，或将其停止。',
  },
  'takes.no_such_word': {
    en: 'This take has no such word, or the word ends before it starts.',
    zh: '此录制中没有这个词，或其结束早于开始。',
  },
  'takes.other_words': {
    en: 'The transcript does not match the audio.',
    zh: '这些文字与所说的内容不符。',
  },
  'takes.no_speech': {
    en: 'The transcript does not match: the audio has no speech.',
    zh: '此声音中未找到语音，无法与这些文字对应。',
  },
  'takes.sound_alone': {
    en: 'The face was made from the audio alone.',
    zh: '面部仅根据声音生成。',
  },
  'takes.being_recorded': {
    en: 'This take is being recorded.',
    zh: '正在录制此片段。',
  },
  'takes.stop_first': {
    en: 'Stop the recording first.',
    zh: '请先停止录制。',
  },
  'takes.other_head': {
    en: 'Choose another head, or another take.',
    zh: '请选择其他头模，或其他录制。',
  },
  'takes.other_head_option': {
    en: 'Choose another head with --head.',
    zh: '请用 --head 选择其他头模。',
  },
  'takes.other_folder': {
    en: 'Choose another folder, or add --overwrite.',
    zh: '请指定其他文件夹，或使用 --overwrite。',
  },
  'takes.script_too_large': {
    en: '“{file}” is larger than 4 MB, too large for the transcript of one recording.',
    zh: '“{file}”大于 4 MB：这不是一段录音的台词。',
  },
  'takes.script_not_text': {
    en: '“{file}” isn’t a text file.',
    zh: '“{file}”不是文本。',
  },
  'takes.script_document': {
    en: '“{file}” is a word-processor document or a PDF. Save it as plain text.',
    zh: '“{file}”是文字处理软件的文档或 PDF，不是纯文本。请另存为纯文本。',
  },
  'takes.script_empty': {
    en: 'There are no words in “{file}”.',
    zh: '“{file}”中没有文字。',
  },
  'takes.script_no_captions': {
    en: 'There are no subtitles in “{file}”.',
    zh: '“{file}”中没有字幕。',
  },
  'takes.script_no_text_grid': {
    en: '“{file}” isn’t a complete TextGrid.',
    zh: '“{file}”不是完整的 TextGrid。',
  },
  'takes.script_no_word_tier': {
    en: 'No tier of “{file}” has words.',
    zh: '“{file}”中没有任何层包含词语。',
  },
  'takes.script_of_phones': {
    en: '“{file}” has phones only, no words.',
    zh: '“{file}”中只有音素，没有词语。',
  },
  'takes.script_formats': {
    en: 'Use a .txt, .srt, .vtt, .lab or .TextGrid file.',
    zh: '请以 .txt、.srt、.vtt、.lab 或 .TextGrid 文件提供台词。',
  },
  'takes.no_sounds_in': {
    en: 'There are no audio files in “{folder}”.',
    zh: '“{folder}”中没有声音文件。',
  },
  'takes.words_of_one': {
    en: '“{file}” is the transcript of one recording, but there are {sounds}.',
    zh: '“{file}”是一段录音的台词，而录音有 {sounds} 段。',
  },
  'takes.words_folder': {
    en: 'Use a folder with one transcript per audio file, of the same name.',
    zh: '请指定一个文件夹，其中每段录音各有一份同名台词。',
  },
  'takes.no_words': {
    en: 'This take has no words with times: it has no transcript, the transcript does not match, or the take was not re-analysed since.',
    zh: '此录制没有带时间的词语：没有台词，台词与所说内容不符，或尚未据此重新分析。',
  },
  'takes.no_visemes': {
    en: 'This face has no visemes, and the take has no transcript.',
    zh: '此面部数据没有口型（viseme），且台词未知。',
  },
  'takes.give_words': {
    en: 'Add a transcript under Takes, and wait for the re-analysis.',
    zh: '请在“录制”中添加台词，并等待重新分析完成。',
  },
  'takes.no_words_of': {
    en: 'TextGrid, SRT and WebVTT need a transcript, and “{file}” has none.',
    zh: 'TextGrid、SRT 和 WebVTT 由台词生成，而“{file}”的台词未知。',
  },
  'takes.words_option': {
    en: 'Use --words, or put a .txt of the same name beside the audio file.',
    zh: '请用 --words 提供，或在声音旁放置同名的 .txt 文件。',
  },
  'takes.no_words_file': {
    en: 'TextGrid, SRT and WebVTT need a transcript: add one, or omit these formats.',
    zh: '没有台词就无法生成 TextGrid、SRT 和 WebVTT：请提供所说的内容，或去掉这些格式。',
  },
  'takes.is_the_script': {
    en: '“{file}” is the transcript itself.',
    zh: '“{file}”就是台词文件本身。',
  },
  'takes.give_other_folder': {
    en: 'Choose another folder with --out.',
    zh: '请用 --out 指定其他文件夹。',
  },
  'engine.ended_in_row': {
    en: 'The built-in engine ended {times} {times, plural, one {time} other {times}} in a row. The last time: {reason}',
    zh: '内置引擎连续 {times} 次退出。最近一次：{reason}',
  },
  'engine.starting_again': {
    en: 'The built-in engine ended and is starting again. {reason}',
    zh: '内置引擎已退出，正在重新启动。{reason}',
  },
  'engine.no_key': {
    en: 'The engine has no key for other programs yet.',
    zh: '引擎还没有供其他程序使用的密钥。',
  },
  'engine.open_first': {
    en: 'Open it to other programs first.',
    zh: '请先向其他程序开放它。',
  },
  'engine.not_running': {
    en: 'The built-in engine is not running. {reason}',
    zh: '内置引擎没有运行。{reason}',
  },
  'engine.no_answer': {
    en: 'The engine on this machine does not answer.',
    zh: '本机引擎没有应答。',
  },
  'engine.this_machine': { en: 'the engine on this machine', zh: '本机引擎' },
  'engine.if_it_stays': {
    en: 'Try again. If it happens again, restart the engine in Settings → Engine on this machine.',
    zh: '请重试。如再次发生，请在“设置”→“本机引擎”中重新启动引擎。',
  },
  'engine.comes_back': {
    en: 'The studio starts it again and continues. If this message stays, restart it in Settings → Engine on this machine.',
    zh: '工作室会重新启动引擎并继续。如果此消息一直存在，请在“设置”→“本机引擎”中重新启动它。',
  },
  'engine.silent_for': {
    en: 'It did not respond for {seconds} s, and the studio ended it.',
    zh: '{seconds} 秒没有响应，已被结束。',
  },
  'engine.unresponsive': {
    en: 'The built-in engine is not answering. If it stays silent for {seconds} s, the studio ends it and starts it again.',
    zh: '内置引擎没有响应。如果 {seconds} 秒内仍无响应，工作室会结束并重新启动它。',
  },
  'engine.restart': {
    en: 'Restart it in Settings → Engine on this machine, or use another connection.',
    zh: '请在“设置”→“本机引擎”中重新启动它，或使用其他连接。',
  },
  'engine.start_anew': {
    en: 'Restart it in Settings → Engine on this machine, or use another connection. In a terminal, repeat the command: that starts it again.',
    zh: '请在“设置”→“本机引擎”中重新启动它，或使用其他连接。在终端中，重复该命令即可重新启动它。',
  },
  'engine.closing': {
    en: 'The studio is closing.',
    zh: '工作室正在关闭。',
  },
  'engine.it_ended': {
    en: 'It ended.',
    zh: '已退出。',
  },
  'engine.not_started': {
    en: 'It could not be started: {problem}',
    zh: '无法启动：{problem}',
  },
  'engine.no_answer_within': {
    en: 'It did not answer within {seconds} s.',
    zh: '未在 {seconds} 秒内应答。',
  },
  'engine.signal': {
    en: 'A signal ended it.',
    zh: '被信号终止。',
  },
  'engine.exit_code': {
    en: 'It exited with code {code}.',
    zh: '以代码 {code} 退出。',
  },
  'engine.port_in_use': {
    en: 'Port {port} is in use by another program.',
    zh: '端口 {port} 正被其他程序使用。',
  },
  'engine.port_not_allowed': {
    en: 'The system does not allow port {port}.',
    zh: '系统不允许使用端口 {port}。',
  },
  'engine.port_not_opened': {
    en: 'Port {port} could not be opened.',
    zh: '无法打开端口 {port}。',
  },
  'engine.other_port': {
    en: 'Choose another port.',
    zh: '请选择其他端口。',
  },
  'recording.engine_ended': {
    en: 'The engine ended {times} {times, plural, one {time} other {times}} while it worked on this recording.',
    zh: '引擎在处理此录音时退出了 {times} 次。',
  },
  'recording.engine_unreadable': {
    en: 'The engine’s answer about this recording can’t be read (HTTP {status}).',
    zh: '无法读取引擎对此录音的回答（HTTP {status}）。',
  },
  'recording.cut_off': {
    en: 'The engine’s answer about this recording broke off.',
    zh: '引擎对此录音的回答中断。',
  },
  'recording.not_kept': {
    en: 'The engine no longer has this recording; re-analyse it.',
    zh: '引擎已不再保留此录音，请重新分析。',
  },
  'takes.not_as_it_should': {
    en: '“{field}” in take.json is not valid ({problem}).',
    zh: 'take.json 中的“{field}”不符合要求（{problem}）。',
  },
  'takes.no_json': { en: 'take.json is not JSON.', zh: 'take.json 不是 JSON。' },
  'takes.file_missing': {
    en: 'One of its files is missing.',
    zh: '缺少其中一个文件。',
  },
  'takes.sound_too_large': {
    en: '“audio.wav” has {megabytes} MB, too much for a take of {seconds} s.',
    zh: '“audio.wav”有 {megabytes} MB，对 {seconds} 秒的录制来说过大。',
  },
  'takes.of_file': { en: '“{file}”: {problem}', zh: '“{file}”：{problem}' },
  'takes.file_problem': { en: '{file}: {problem}', zh: '{file}：{problem}' },
  'takes.there_already': {
    en: '{files} already {count, plural, one {exists} other {exist}}.',
    zh: '{files} 已存在。',
  },
} as const;
