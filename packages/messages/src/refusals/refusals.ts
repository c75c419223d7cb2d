/** Refusals of the engine and the service, by the reason in their answers. */
export const refusalMessages = {
  'refusal.json_lacks_audio': {
    en: 'The body must be a JSON object with traceId, status and data.',
    zh: '请求体须为包含 traceId、status 和 data 的 JSON 对象。',
  },
  'refusal.no_speech_part': {
    en: 'This engine can’t turn speech into a face: its speech part is missing.',
    zh: '此引擎无法将语音转换为面部动画：缺少语音部件。',
  },
  'refusal.face_failed': {
    en: 'The engine failed while it was turning the audio into a face; its log has the details. Start a new trace.',
    zh: '引擎在将音频转换为面部动画时出错；详情见日志。请新建 trace。',
  },
  'refusal.voice_too_large': {
    en: 'The request is larger than {max} MiB. Send longer audio in parts ("continue", "end"), or at a lower sample rate: 16 kHz mono is enough.',
    zh: '请求大于 {max} MiB。较长的音频请分段发送（"continue"、"end"），或降低采样率：16 kHz 单声道即可。',
  },
  'refusal.audio_empty': {
    en: 'The audio is empty.',
    zh: '音频为空。',
  },
  'refusal.data_not_wav': {
    en: '"data" is not a WAV file. Send WAV, or raw PCM together with "sampleRate" (and "channels", "encoding").',
    zh: '"data" 不是 WAV 文件。请发送 WAV，或发送原始 PCM 并附带 "sampleRate"（以及 "channels"、"encoding"）。',
  },
  'refusal.odd_samples': {
    en: '"data" has {size} bytes, which is not a whole number of samples ({frame} bytes each).',
    zh: '"data" 有 {size} 字节，不是采样大小（{frame} 字节）的整数倍。',
  },
  'refusal.not_acceptable': {
    en: 'The answer is application/x-protobuf, but the Accept header doesn’t include it.',
    zh: '响应格式为 application/x-protobuf；Accept 请求头未包含它。',
  },
  'refusal.trace_too_long': {
    en: 'The audio of this trace is {seconds} s long; at most {hours} {hours, plural, one {hour is} other {hours are}} accepted. Cut it and use a traceId for each piece.',
    zh: '该 trace 的音频长 {seconds} 秒；最多接受 {hours} 小时。请切分后为每段使用各自的 traceId。',
  },
  'refusal.vertices_too_long': {
    en: 'This part has {seconds} s of audio; with vertices, a part has at most {max} s. Send the rest with “continue”.',
    zh: '此部分的音频长 {seconds} 秒；带顶点时，每部分最多 {max} 秒。请用“continue”发送其余部分。',
  },
  'refusal.audio_changed': {
    en: 'This part has {sampleRate} Hz and {channels} {channels, plural, one {channel} other {channels}}, the trace began with {firstRate} Hz and {firstChannels}. Start a new trace for other audio.',
    zh: '此部分为 {sampleRate} Hz、{channels} 声道，而该 trace 开始时为 {firstRate} Hz、{firstChannels} 声道。请为其他音频新建 trace。',
  },
  'refusal.trace_reused': {
    en: 'This traceId has been used. Choose a new UUID for each voice; continue an open trace with the status "continue".',
    zh: '该 traceId 已被使用。每段语音请使用新的 UUID；继续未结束的 trace 请用状态 "continue"。',
  },
  'refusal.trace_busy': {
    en: 'A part of this trace is still being answered. Send the next one after the answer has ended: parts have no number, only an order.',
    zh: '该 trace 的上一部分仍在处理。请在其响应结束后再发送下一部分。',
  },
  'refusal.trace_not_open': {
    en: 'No trace with this traceId is open. Open one with the status "start" and a short first part; an idle trace ends by itself.',
    zh: '没有使用该 traceId 的打开的 trace。请用状态 "start" 和较短的首段打开；空闲的会自动结束。',
  },
  'refusal.too_many_traces': {
    en: '{openTraces} {openTraces, plural, one {trace is} other {traces are}} open. End one, or wait: an idle trace ends after {seconds} s.',
    zh: '已有 {openTraces} 个 trace 打开。请结束其中之一，或等待：空闲的会在 {seconds} 秒后结束。',
  },
  'refusal.field_not_among': {
    en: 'The field "{field}" is {value}; it must be one of {list}.',
    zh: '字段 "{field}" 的值为 {value}；必须是 {list} 之一。',
  },
  'refusal.field_unusable': {
    en: 'The field "{field}" can’t be used ({problem}); /openapi.json describes its format.',
    zh: '字段 "{field}" 无法使用（{problem}）；内容格式见 /openapi.json。',
  },
  'refusal.field_missing': {
    en: 'The field "{field}" is missing.',
    zh: '缺少字段 "{field}"。',
  },
  'refusal.field_unknown': {
    en: 'There is no field "{field}" in this operation; its fields are {list}.',
    zh: '本操作没有字段 "{field}"；可用字段为 {list}。',
  },
  'refusal.image_too_many_pixels': {
    en: 'The image has {width} × {height} pixels by its header; at most {megapixels} megapixels are accepted as {kind}. Save it as a baseline JPEG, or smaller, and send it again.',
    zh: '图片标明为 {width} × {height} 像素，{kind} 格式最多接受 {megapixels} 百万像素。请另存为基线 JPEG 或缩小后重新发送。',
  },
  'refusal.not_an_image': {
    en: 'The file is not an image that the engine reads, whatever its name says. Send a JPEG, HEIC, PNG, WebP, AVIF, TIFF or GIF.',
    zh: '无论文件名如何，该文件不是引擎可读取的图片。请发送 JPEG、HEIC、PNG、WebP、AVIF、TIFF 或 GIF。',
  },
  'refusal.image_unreadable': {
    en: 'The image is damaged: its header can’t be read. Open it in an image program, save it again and send the new file.',
    zh: '图片已损坏：无法读取文件头。请用图像软件打开并重新保存后再发送。',
  },
  'refusal.other_photo': {
    en: 'Photo {number} of the field "files": {problem}',
    zh: '字段 "files" 的第 {number} 张照片：{problem}',
  },
  'refusal.not_multipart': {
    en: 'The body must be multipart/form-data with the file in a part named "file".',
    zh: '请求体必须为 multipart/form-data，文件放在名为 "file" 的部分。',
  },
  'refusal.too_many_files': {
    en: 'The field "files" takes at most {max} {max, plural, one {photo} other {photos}} beside "file". Send the most different views.',
    zh: '除 "file" 外，字段 "files" 最多接受 {max} 张照片。请选择视角差异最大的照片。',
  },
  'refusal.too_many_parts': {
    en: 'The multipart body has more parts than this operation has fields.',
    zh: 'multipart 请求体的部分数超过了本操作的字段数。',
  },
  'refusal.multipart_malformed': {
    en: 'The multipart body can’t be read: {detail}.',
    zh: '无法读取 multipart 请求体：{detail}。',
  },
  'refusal.image_too_large': {
    en: 'The image is larger than {max} MB. Save it smaller or with stronger compression and send it again.',
    zh: '图片大于 {max} MB。请缩小或提高压缩率后重新发送。',
  },
  'refusal.field_repeated': {
    en: 'The field "{field}" comes more than once.',
    zh: '字段 "{field}" 重复出现。',
  },
  'refusal.field_is_file': {
    en: 'The field "{field}" was sent as a file; send it as text.',
    zh: '字段 "{field}" 以文件形式发送；请以文本发送。',
  },
  'refusal.field_is_text': {
    en: 'The field "{field}" was sent as text; send it as a file part, with a file name.',
    zh: '字段 "{field}" 以文本形式发送；请以带文件名的文件部分发送。',
  },
  'refusal.image_empty': {
    en: 'The file is empty (0 bytes).',
    zh: '文件为空（0 字节）。',
  },
  'refusal.not_json': {
    en: 'The body must be JSON, with Content-Type: application/json.',
    zh: '请求体必须为 JSON，并带有 Content-Type: application/json。',
  },
  'refusal.audio_busy': {
    en: 'Too much audio is being received and analysed at the same time. Send this again in a second.',
    zh: '同时接收和处理的音频过多。请稍后重新发送。',
  },
  'refusal.json_malformed': {
    en: 'The body is not JSON that can be read; it may be cut off.',
    zh: '请求体不是可读取的 JSON；可能被截断。',
  },
  'refusal.json_no_object': {
    en: 'The body must be a JSON object; /openapi.json describes its format.',
    zh: '请求体须为 JSON 对象；内容格式见 /openapi.json。',
  },
  'refusal.method_not_allowed': {
    en: "{method} is not among this path's methods ({allow}).",
    zh: '此路径不支持 {method}（支持：{allow}）。',
  },
  'refusal.path_unknown': {
    en: 'No operation exists at {path}. /openapi.json lists the operations; the word in the paths is "{pathWord}".',
    zh: '{path} 不存在。可用接口见 /openapi.json；路径中的词为 "{pathWord}"。',
  },
  'refusal.host_unknown': {
    en: 'The engine answers only to 127.0.0.1 and localhost with its own port as Host.',
    zh: '引擎只响应 Host 为 127.0.0.1 或 localhost 加自身端口的请求。',
  },
  'refusal.content_encoding': {
    en: 'Send the body without Content-Encoding: images and audio are compressed already.',
    zh: '请不要使用 Content-Encoding 发送请求体。',
  },
  'refusal.disk_full': {
    en: 'The disk is full. Free some space and send this again.',
    zh: '磁盘已满。请清理空间后重新发送。',
  },
  'refusal.internal': {
    en: 'The engine failed on this request; its log has the details.',
    zh: '引擎处理此请求时出错；详情见日志。',
  },
  'refusal.range_unsatisfiable': {
    en: 'The file has {size} bytes; the range lies outside it.',
    zh: '文件大小为 {size} 字节；请求的范围超出文件。',
  },
  'refusal.file_unknown': {
    en: 'This file doesn’t exist or has expired. Query the model again to get its link.',
    zh: '没有此文件，或已过期。请重新查询模型以获取下载链接。',
  },
  'refusal.idempotency_key_wrong': {
    en: 'The Idempotency-Key must be 1 to 255 visible ASCII characters, such as a UUID.',
    zh: 'Idempotency-Key 须为 1 至 255 个可见 ASCII 字符，例如 UUID。',
  },
  'refusal.image_task_unknown': {
    en: 'There is no image task with this id. Finished tasks are kept for some days only.',
    zh: '没有此编号的图像任务，或已过期：完成的任务只保留数天。',
  },
  'refusal.no_portrait_part': {
    en: 'This engine can’t make heads: its portrait part is missing.',
    zh: '此引擎无法生成头部模型：缺少人像部件。',
  },
  'refusal.cut_off': {
    en: 'The engine stopped {times} {times, plural, one {time} other {times}} while it was making this head. Try another photo, or save this one again in an image program.',
    zh: '生成此头部模型时引擎已中断 {times} 次。请换一张照片，或用图像软件重新保存后再试。',
  },
  'refusal.model_unknown': {
    en: 'There is no model with this id. Finished models are kept for some days only.',
    zh: '没有此编号的模型，或已过期：完成的模型只保留数天。',
  },
  'refusal.idempotency_conflict': {
    en: 'This Idempotency-Key was used with other photos or other parameters. Use a new key for a new order.',
    zh: '该 Idempotency-Key 已用于其他照片或参数。新请求请使用新的键。',
  },
  'refusal.queue_full': {
    en: '{waitingModels} {waitingModels, plural, one {model is} other {models are}} waiting already. Send this one again in {retryAfter} s.',
    zh: '已有 {waitingModels} 个模型在排队。请在 {retryAfter} 秒后重新发送。',
  },
  'refusal.share_used': {
    en: 'Your tenant already uses its share: {count, number} {things, select, traces {open traces} photos {photos in progress} recordings {requests about recordings} models {waiting models} connections {connections} other {bytes in progress}}. The rest is kept free for other tenants. Send this again when some of yours have ended.',
    zh: '您的租户已用完其份额：{count, number} {things, select, traces {个打开的 trace} photos {张处理中的照片} recordings {个录音请求} models {个排队的模型} connections {个连接} other {个传输中的字节}}。其余容量留给其他租户。请在部分完成后重新发送。',
  },
  'refusal.upload_too_slow': {
    en: 'The request arrives too slowly: less than {kilobytes, number} kB in {seconds} s. Send it again over a faster connection.',
    zh: '请求传输过慢：{seconds} 秒内不足 {kilobytes, number} kB。请在更快的网络下重新发送。',
  },
  'refusal.json_too_complex': {
    en: 'The JSON is nested too deeply, or has more values than this operation takes. /openapi.json describes its format.',
    zh: 'JSON 嵌套过深，或包含的值多于此操作可接受的数量。格式见 /openapi.json。',
  },
  'refusal.photos_busy': {
    en: '{max} {max, plural, one {photo is} other {photos are}} being checked already. Send this one again in a moment.',
    zh: '已有 {max} 张照片正在处理。请稍后重新发送。',
  },
  'refusal.portrait_missing': {
    en: 'This engine can’t check photos: its portrait part is missing.',
    zh: '此引擎无法检查照片：缺少人像部件。',
  },
  'refusal.too_many_words': {
    en: 'The script has more than {limit} {limit, plural, one {word} other {words}}. Cut it, and the recording with it.',
    zh: '脚本超过 {limit} 个词。请将脚本和录音一同切分。',
  },
  'refusal.phone_unknown': {
    en: 'The pronunciation of “{word}” contains an unknown phone: “{phone}”. Write ARPAbet (HH AH L OW) or pinyin initials and finals (n i).',
    zh: '“{word}”的发音含有不存在的音素“{phone}”。请使用 ARPAbet（HH AH L OW）或拼音声母和韵母（n i）。',
  },
  'refusal.script_empty': {
    en: 'The script has no words. Type the words of the recording.',
    zh: '脚本中没有任何词。请输入所说的内容。',
  },
  'refusal.no_dictionary': {
    en: 'The engine has no dictionary for the script’s language. It supports English and Mandarin.',
    zh: '脚本所用的语言没有词典：目前支持英语和普通话。',
  },
  'refusal.pins_wrong': {
    en: 'The times in "pinned" overlap, lie outside the recording or belong to no word of the script.',
    zh: '"pinned" 中的时间互相重叠、超出录音范围，或不属于脚本中的任何词。',
  },
  'refusal.recording_not_kept': {
    en: 'The engine doesn’t have this recording, or no longer has it. Send its audio to /v1/speech/recordings.',
    zh: '引擎没有或不再保留此录音。请将其声音发送到 /v1/speech/recordings。',
  },
  'refusal.recording_too_large': {
    en: 'The request is larger than {max} MiB. Send the audio at a lower rate (16 kHz mono is enough), or cut it.',
    zh: '请求大于 {max} MiB。请降低采样率（16 kHz 单声道即可）或切分后发送。',
  },
  'refusal.recording_too_long': {
    en: 'The recording is {seconds} s long; at most {hours} {hours, plural, one {hour is} other {hours are}} accepted. Cut it into parts.',
    zh: '录音长 {seconds} 秒；最多接受 {hours} 小时。请将其切分。',
  },
  'refusal.recordings_busy': {
    en: '{max} {max, plural, one {recording is} other {recordings are}} being processed already. Send this again in a moment.',
    zh: '已有 {max} 个录音正在处理。请稍后重新发送。',
  },
  'refusal.file_not_wav': {
    en: 'The file is not a WAV file. Send WAV, or raw PCM together with "sampleRate" (and "channels", "encoding").',
    zh: '该文件不是 WAV 文件。请发送 WAV，或发送原始 PCM 并附带 "sampleRate"（以及 "channels"、"encoding"）。',
  },
  'refusal.recording_empty': {
    en: 'The recording contains no audio.',
    zh: '录音中没有声音。',
  },
  'refusal.profile_unclear': {
    en: 'The outline of this profile could not be told from the background. Use one before a plain background of another colour.',
    zh: '无法从背景中分辨这张侧面照的轮廓。请使用背景单一且颜色不同的侧面照。',
  },
  'refusal.too_many_at_once': {
    en: 'This key already has {max} {max, plural, one {request} other {requests}} in progress, which is its limit. Wait until one has ended.',
    zh: '此密钥已有 {max} 个请求正在进行，已达上限。请等待其中一个结束。',
  },
  'refusal.rate_exceeded': {
    en: 'This key may send {perSecond} {perSecond, plural, one {request} other {requests}} a second. Send this again in {seconds} s.',
    zh: '此密钥每秒最多发送 {perSecond} 个请求。请在 {seconds} 秒后重新发送。',
  },
  'refusal.audit_unwritable': {
    en: 'The service can’t write its audit log, so it accepts no work. Its operator finds the cause in its log; if the disk is full, free some space.',
    zh: '服务无法写入审计日志，因此暂不接受任务。本服务的管理员可在其日志中查看原因：如磁盘已满，请清理空间。',
  },
  'refusal.audit_busy': {
    en: 'The service receives more calls than it can record. Send this again in a second.',
    zh: '请求过多，来不及记录。请稍后重新发送。',
  },
  'refusal.caller_gone': {
    en: 'The connection was closed before the work began. Nothing was done; send this again.',
    zh: '任务开始前连接已关闭。未执行任何操作；请重新发送。',
  },
  'refusal.month_wrong': {
    en: 'Give a month such as 2026-11.',
    zh: '请指定月份，例如 2026-11。',
  },
  'refusal.webhook_too_large': {
    en: 'The registration of a webhook may have at most {bodyBytes} bytes.',
    zh: '注册 webhook 的请求体不得超过 {bodyBytes} 字节。',
  },
  'refusal.too_many_webhooks': {
    en: 'A tenant may have {maxWebhooks} {maxWebhooks, plural, one {webhook} other {webhooks}}. Remove one first.',
    zh: '每个租户最多可有 {maxWebhooks} 个 webhook。请先删除一个。',
  },
  'refusal.webhook_unknown': {
    en: 'There is no webhook with this id. GET /v1/webhooks lists them.',
    zh: '没有此编号的 webhook。可通过 GET /v1/webhooks 列出。',
  },
  'refusal.webhook_address_refused': {
    en: 'This address can’t be used: {message}. Give a public HTTPS address, or ask the service’s operator to allow it.',
    zh: '无法使用此地址：{message}。请提供公网 HTTPS 地址，或请本服务的管理员允许该地址。',
  },
  'refusal.scope_missing': {
    en: 'This key doesn’t allow this: it lacks the scope "{scope}". The service’s operator can issue a key that has it.',
    zh: '此密钥无权执行此操作：缺少权限范围 "{scope}"。请向本服务的管理员索取具有该权限的密钥。',
  },
  'refusal.service_host_unknown': {
    en: 'The service doesn’t answer to this Host. Its operator can add the name: likeness service start --name.',
    zh: '服务不响应此 Host。请由管理员添加名称：likeness service start --name。',
  },
  'refusal.storage_unreachable': {
    en: 'The service can’t reach its storage at the moment, so it may not have accepted this. Send it again; for an order, use the same Idempotency-Key.',
    zh: '服务暂时无法访问其存储，可能未接收此请求。请重新发送；下单请使用相同的 Idempotency-Key。',
  },
  'refusal.base64_character': {
    en: '"data" is not base64 text: character {position} is {sign}.',
    zh: '"data" 不是 base64 文本：第 {position} 个字符为 {sign}。',
  },
  'refusal.base64_length': {
    en: '"data" is not base64 text: its length, {length} characters, is not a multiple of 4; it may be cut off or lack its "=" padding.',
    zh: '"data" 不是 base64 文本：长度 {length} 个字符不是 4 的倍数；可能被截断或缺少 "=" 填充。',
  },
  'refusal.wav_format_cut_off': {
    en: 'The audio can’t be used: its format chunk is cut off.',
    zh: '音频无法使用：格式块不完整。',
  },
  'refusal.wav_encoding': {
    en: 'The audio can’t be used: WAV format {tag} with {bits} bits is not PCM of 8, 16, 24 or 32 bits nor float of 32 or 64.',
    zh: '音频无法使用：WAV 格式 {tag}（{bits} 位）不是 8、16、24、32 位 PCM，也不是 32 或 64 位浮点。',
  },
  'refusal.wav_damaged': {
    en: 'The WAV file is damaged: it has {fault, select, too_many_chunks {too many chunks} no_data {no data chunk} other {no format chunk}}.',
    zh: 'WAV 文件已损坏：{fault, select, too_many_chunks {数据块过多} no_data {缺少数据块} other {缺少格式块}}。',
  },
  'refusal.sample_rate': {
    en: 'The audio can’t be used: its sample rate is {rate} Hz; {min} to {max} Hz are taken.',
    zh: '音频无法使用：采样率为 {rate} Hz；可接受 {min} 至 {max} Hz。',
  },
  'refusal.channels': {
    en: 'The audio can’t be used: it has {count} {count, plural, one {channel} other {channels}}; 1 to {max} are taken.',
    zh: '音频无法使用：声道数为 {count}；可接受 1 至 {max} 个。',
  },
  'refusal.audio_field': {
    en: 'The field "{field}" must be {field, select, traceId {a UUID as text} status {"start", "continue" or "end"} data {base64 text} sampleRate {a whole number of hertz} channels {a whole number} encoding {one of {encodings}} frameRate {30 or 60} lookahead {0, 20, 40 or 60} other {true or false}}.',
    zh: '字段 "{field}" 须为{field, select, traceId {文本形式的 UUID} status { "start"、"continue" 或 "end"} data { base64 文本} sampleRate {整数（赫兹）} channels {整数} encoding { {encodings} 之一} frameRate { 30 或 60} lookahead { 0、20、40 或 60} other { true 或 false}}。',
  },
  'refusal.unauthorized': {
    en: "This operation needs the header {auth, select, A {Authorization: Bearer <access token>} B {auth_ak: <API key>} other {Authorization: Bearer <access token> or auth_ak: <API key>}}. It is missing or wrong; {source, select, run {the built-in engine's keys change with each run.} other {it may have expired or been revoked. The service’s operator issues keys.}}",
    zh: '此操作需要请求头 {auth, select, A {Authorization: Bearer <访问令牌>} B {auth_ak: <API 密钥>} other {Authorization: Bearer <访问令牌> 或 auth_ak: <API 密钥>}}。密钥缺失或错误；{source, select, run {内置引擎的密钥每次运行都会更换。} other {密钥可能已过期或被吊销。请向本服务的管理员索取密钥。}}',
  },
  'refusal.photo_gone': {
    en: 'The engine failed while it was making this head: the photo is no longer on disk; send it again.',
    zh: '生成此头部模型时引擎出错：照片已不在磁盘上；请重新发送。',
  },
  'refusal.no_start': {
    en: 'The engine failed while it was making this head: its portrait part did not start.',
    zh: '生成此头部模型时引擎出错：人像部件未能启动。',
  },
  'refusal.unexpected': {
    en: 'The engine failed while it was making this head: the cause is in its log. Another photo may work.',
    zh: '生成此头部模型时引擎出错：原因见日志。可换一张照片重试。',
  },
  'refusal.field_hertz': {
    en: 'The field "{field}" must be a whole number of hertz.',
    zh: '字段 "{field}" 须为整数（赫兹）。',
  },
  'refusal.recording_exit': {
    en: 'The engine’s thread ended while it worked on the recording (exit {code}).',
    zh: '引擎处理录音的线程已退出（退出码 {code}）。',
  },
  'refusal.recording_died': {
    en: 'The engine’s thread ended while it worked on the recording ({problem}).',
    zh: '引擎处理录音的线程已退出（{problem}）。',
  },
  'refusal.recording_took_too_long': {
    en: 'The recording took longer than {seconds} s. Cut it into parts.',
    zh: '处理录音超过 {seconds} 秒。请将其切分。',
  },
  'refusal.nobody_waits': {
    en: 'Nobody waits for it any more.',
    zh: '已无人等待此结果。',
  },
  'refusal.engine_closing': {
    en: 'The engine is closing.',
    zh: '引擎正在关闭。',
  },
  'refusal.cap_reached': {
    en: 'This key may use {cap} {unit, select, seconds {seconds of audio} frames {frames} other {models}} a month; {used} are used and {pending} in progress. Nothing was done. The service’s operator can raise the cap.',
    zh: '此密钥每月限 {cap} {unit, select, seconds {秒音频} frames {帧} other {个模型}}；已使用 {used}，进行中 {pending}。未执行任何操作。请联系本服务的管理员提高上限。',
  },
  'engine_folder.unusable': {
    en: 'The engine can’t use {path}: {fault, select, full {the disk is full.} no_access {this user may not open or change it. It may belong to another user, or its disk is read-only.} cannot_open {it can’t be opened: its folder is missing, or this user may not open it.} quota {this user’s share of the disk (quota) is used up.} in_use {another program is using it.} disk_failed {the disk reported an error.} missing {its folder is missing, or a file has its name.} other {{message}.}} Nothing in it was changed. {fault, select, full {Free some space, then start again.} no_access {Give this user access, then start again.} cannot_open {Check the folder and this user’s access to it, then start again.} quota {Delete files of this user, or ask for a larger quota, then start again.} in_use {End that program, then start again.} missing {Check that its disk is connected, then start again.} other {Start again; if the error remains, check the disk.}}',
    zh: '引擎无法使用 {path}：{fault, select, full {磁盘已满。} no_access {当前用户无权打开或修改。它可能属于其他用户，或所在磁盘为只读。} cannot_open {无法打开：其文件夹不存在，或当前用户无权打开。} quota {当前用户的磁盘配额已用完。} in_use {其他程序正在使用它。} disk_failed {磁盘报告了错误。} missing {文件夹不存在，或其位置上有文件。} other {{message}.}}其中的内容没有改动。{fault, select, full {请释放空间后重新启动。} no_access {请授予访问权限后重新启动。} cannot_open {请检查该文件夹及当前用户的访问权限，然后重新启动。} quota {请删除当前用户的一些文件，或提高配额，然后重新启动。} in_use {请结束该程序后重新启动。} missing {请检查磁盘是否已连接，然后重新启动。} other {请重新启动；如果仍然出现，请检查磁盘。}}',
  },
  'engine_folder.newer': {
    en: 'The engine can’t use {path}: a newer version wrote it (schema {version}; this version reads up to {known}). Nothing in it was changed. Start the newer version, or restore a backup of the folder.',
    zh: '引擎无法使用 {path}：它由更新的版本写入（架构 {version}；此版本最高读取 {known}）。其中的内容没有改动。请启动更新的版本，或恢复该文件夹的备份。',
  },
} as const;
