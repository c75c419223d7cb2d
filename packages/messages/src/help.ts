/** The help of the command line in Chinese, by its English: one text serves several commands. */
export const helpInChinese: Readonly<Record<string, string>> = {
  'Likeness Studio without a window: portraits to 3D heads, speech to face animation':
    '没有窗口的 Likeness Studio：由肖像制作 3D 头模，由语音驱动面部动画',
  'send a face to other programs as it moves: VMC, Live Link Face, WebSocket':
    '将面部随动作实时发送到其他程序：VMC、Live Link Face、WebSocket',
  'send a take by its id, or the live face of an open studio (live), by VMC: VSeeFace, Warudo, Unity and other programs for avatars':
    '通过 VMC 发送录制（编号）或已打开工作室的实时面部（live）：VSeeFace、Warudo、Unity 等虚拟形象程序',
  'send a take by its id, or the live face of an open studio (live), as Epic’s Live Link Face app does, to Unreal':
    '像 Epic 的 Live Link Face 应用那样向 Unreal 发送录制（编号）或已打开工作室的实时面部（live）',
  'send a take by its id, or the live face of an open studio (live), to scripts: prints the address of a WebSocket of JSON on this machine':
    '向脚本发送录制（编号）或已打开工作室的实时面部（live）：输出本机 JSON WebSocket 的地址',
  'where to; default: this machine, port 39539': '发送到何处；默认：本机，端口 39539',
  'where to; default: this machine, port 11111': '发送到何处；默认：本机，端口 11111',
  'a take again and again, until Ctrl-C': '循环发送录制，直到按 Ctrl-C',
  'names of the channels: VRM 1.0, VRM 0.x, ARKit, Perfect Sync':
    '通道的名称：VRM 1.0、VRM 0.x、ARKit、Perfect Sync',
  'port to open on 127.0.0.1; default: any free one': '在 127.0.0.1 上打开的端口；默认：任一空闲端口',
  'frames a second: 24, 25, 30, 50, 60, 120': '每秒帧数：24, 25, 30, 50, 60, 120',
  'output the version number': '显示版本号',
  'display help for command': '显示命令的帮助',
  'results as JSON, one document or one line for each thing; times in ISO 8601':
    '以 JSON 输出结果，为一个文档或每项一行；时间为 ISO 8601 格式',
  'no progress and no words of success': '不显示进度，也不显示成功的提示',
  'make a 3D head from one portrait photo': '用一张肖像照片制作 3D 头模',
  'file to write, a folder where it is several; default: here, named after the photo':
    '要写入的文件，多个文件时为文件夹；默认：当前位置，以照片命名',
  'also of a photo that is turned, small, soft, dark or covered':
    '照片偏转、过小、模糊、过暗或被遮挡时也制作',
  'form of the file: glb, glb-meshopt, fbx, vrm, vrm0, usdz, gltf, obj; default: by the ending of --out, or else glb':
    '文件的形式：glb, glb-meshopt, fbx, vrm, vrm0, usdz, gltf, obj；默认：按 --out 的结尾，否则为 glb',
  'form of the file: glb, glb-meshopt, fbx, vrm, vrm0, usdz, gltf, obj, zip; default: by the ending of --out, or else glb':
    '文件的形式：glb, glb-meshopt, fbx, vrm, vrm0, usdz, gltf, obj, zip；默认：按 --out 的结尾，否则为 glb',
  'turn a head (GLB), also of other makers, into another form': '将头模（GLB，包括其他来源的）转换为其他形式',
  'file to write, a folder where it is several; default: beside where you are':
    '要写入的文件，多个文件时为文件夹；默认：当前位置',
  'which photos are of one person: by the manifest’s column “person”, by folder, by name, or off':
    '哪些照片属于同一个人：按清单的“person”列、按文件夹、按文件名，或关闭',
  'CSV that says it of each: file,sex,eyelidType,name,tags,options,person; default: those with a column “file” in the folders':
    '逐张说明的 CSV：file,sex,eyelidType,name,tags,options,person；默认：文件夹中含“file”列的表格',
  'leave out what lies in the folders': '不使用文件夹中的表格',
  'also of photos that are turned, small, soft, dark or covered, where a head can be made at all':
    '照片偏转、过小、模糊、过暗或被遮挡时，只要能制作头模就制作',
  'file to write, or a folder, where each head goes as a file of its own':
    '要写入的文件；或文件夹，每个头模各为一个文件',
  'names of the face shapes: as-is, arkit, arkit-pascal, arkit-snake, arkit-short, oculus, oculus-short, vrchat, vrm, vrm0, cc4, metahuman, preston-blair, rhubarb, or the id of a table of yours':
    '面部形态的名称：as-is、arkit、arkit-pascal、arkit-snake、arkit-short、oculus、oculus-short、vrchat、vrm、vrm0、cc4、metahuman、preston-blair、rhubarb，或你自己的名称表的编号',
  'names of the files: {name} {date} {today} {number:3} {sex} {id}':
    '文件的名称：{name} {date} {today} {number:3} {sex} {id}',
  'write over files of the same names in the folder': '覆盖文件夹中的同名文件',
  'all settings as one file, never with a key': '将全部设置存为一个文件，绝不含密钥',
  'write settings and connections; what a page keeps itself is saved in its settings':
    '写入设置与连接；页面自己保存的内容在其设置中保存',
  'set what a file says; connections that it does not name stay': '按文件进行设置；其中未提及的连接保持不变',
  'say what would change, and change nothing': '说明会有哪些更改，但不更改任何内容',
  'a head’s id in the library, a GLB file, or default, man or stylised; default: the one it was made with':
    '库中头模的 id、GLB 文件，或 default、man、stylised；默认：录制时所用的头模',
  'a picture behind it: JPEG, HEIC, PNG, WebP, AVIF, TIFF or GIF':
    '置于其后的图片：JPEG、HEIC、PNG、WebP、AVIF、TIFF 或 GIF',
  'cover: cut off at its sides; contain: all of it, the colour beside it':
    'cover：裁去两侧；contain：完整显示，其余为背景色',
  'whose head': '头模的性别',
  '1 = single, 2 = double': '1 = 单眼皮，2 = 双眼皮',
  'JSON with strokes and crown, as B1 takes them': '含 strokes 与 crown 的 JSON，格式与 B1 相同',
  'make heads again of their photos, in their place; the files of before are kept':
    '用原照片重新制作头模并取代原文件；原文件会保留',
  'all that an older built-in engine made': '所有由旧版内置引擎制作的头模',
  'as heads of their own, beside those that there are': '作为新的头模，与现有的并存',
  'JSON with choices: smile, light, glasses, eye and hair colour, size':
    '含选项的 JSON：嘴部、光线、眼镜、眼睛与头发颜色、大小',
  'turn folders (or files) of portrait photos into heads; repeat the same command to go on':
    '将肖像照片的文件夹（或文件）制作成头模；重复同一命令即可继续',
  'for all photos': '用于所有照片',
  'connection to send to; default: the default one': '发送所用的连接；默认：默认连接',
  'library to put the heads into; made where there is none': '存放头模的模型库；没有时会新建',
  'photos under way at once': '同时进行的照片数',
  'send also what the library has already': '模型库中已有的也重新发送',
  'minutes to wait while the queue is blocked, then end with 4; default: until it continues':
    '队列受阻时等待的分钟数，之后以 4 结束；默认：直到队列继续运行',
  'only look at the photos and say what would be sent': '只检查照片，并说明将发送什么',
  'the heads that were made or imported': '制作或导入的头模',
  'list the heads, newest first': '列出头模，最新的在前',
  'library; default: all that the studio knows': '模型库；默认：工作室所知的全部',
  'most to list': '最多列出的数量',
  'find heads by name, tag, note, file, date, connection or state':
    '按名称、标签、备注、文件、日期、连接或状态查找头模',
  'all that is known of one head, and whether it is ready to be driven': '一个头模的全部信息，以及能否驱动',
  'write heads to a file: those of the ids, of a search, or all': '将头模写入文件：按编号、按搜索，或全部',
  'file to write': '要写入的文件',
  'those that this search finds, as library search takes it': '此搜索找到的头模，写法与 library search 相同',
  'all heads': '全部头模',
  'of the file': '文件的格式',
  'names of the face shapes': '面部形状的命名方式',
  'write what is known of the heads as CSV or JSON': '将头模的信息写为 CSV 或 JSON',
  'erase heads for good, with all that the studio has of them': '永久清除头模，以及工作室保存的一切相关内容',
  'the takes of these heads too': '连同这些头模的录制',
  'do it; without, only say what would go': '确认执行；不加则只说明将清除什么',
  'list the libraries and where they are': '列出模型库及其位置',
  'open the library in a folder, or make one there': '打开文件夹中的模型库，或在那里新建',
  'its name; default: that of the folder': '名称；默认：文件夹的名称',
  'move a library into another folder, on the same disk or another':
    '将模型库移到另一个文件夹，可在同一磁盘或其他磁盘',
  'library; default: the one that new heads go into': '模型库；默认：存放新头模的那个',
  'look at every file of a library': '检查模型库的每个文件',
  'make the index anew from the folders': '根据文件夹重建索引',
  'recordings of voice and face': '声音与面部的录制',
  'film takes on a head, frame by frame: WebM, MP4 or a PNG sequence with its sound':
    '逐帧将录制制作成影片：WebM、MP4 或附声音的 PNG 序列',
  'the film: .webm, .mp4, or a folder for PNG; of several takes the folder of their films':
    '影片：.webm、.mp4，或用于 PNG 的文件夹；多个录制时为存放影片的文件夹',
  'names of the films in the folder, of {name} {take} {rate} {number} {date} {today} {id}; default: {name}':
    '文件夹中影片的名称，由 {name} {take} {rate} {number} {date} {today} {id} 组成；默认：{name}',
  'default: by the ending of the path, or webm': '默认：按路径的结尾，否则为 webm',
  'width and height, even numbers of pixels': '宽和高，须为偶数像素',
  'frames a second': '每秒帧数',
  'what of the head is seen': '显示头部的哪些部分',
  'from where it is seen': '从哪里观看',
  'what is behind it, as #rrggbb': '背景颜色，写作 #rrggbb',
  'nothing behind it: transparent (WebM and PNG)': '无背景：透明（WebM 和 PNG）',
  'how finely it is drawn; auto: by what draws': '绘制的精细程度；auto：按绘制设备而定',
  'write over a file of the same name': '覆盖同名文件',
  'list the takes, newest first': '列出录制，最新的在前',
  'those alone that this finds: words, tag:film, rating:>3': '仅列出找到的：词、tag:film、rating:>3',
  'order: created, name, rating, length': '排序：created、name、rating、length',
  'the other way round': '反向排序',
  'those that this search finds, as take list takes it': '此搜索找到的录制，写法与 take list 相同',
  'say in figures how takes are: closures that shut, peaks kept, jaw and sound, jitter, frames':
    '用数字说明录制的质量：真正闭合的闭唇、保留的峰值、下颌与声音、抖动、帧',
  'head that closures are measured on, in the library; default: the one it was made with':
    '用于测量闭唇的头模（在模型库中）；默认：录制时所用的头模',
  'as a file has it: json, csv': '以文件的形式输出：json、csv',
  'give takes stars, 0 to 5': '为录制评星，0 到 5',
  'give takes tags, and take tags away': '为录制添加或移除标签',
  'tags to give, with commas between': '要添加的标签，以逗号分隔',
  'tags to take away, with commas between': '要移除的标签，以逗号分隔',
  'what is in the trash': '列出回收站中的内容',
  'write takes as other programs read them': '将录制写成其他程序可读的格式',
  'where to write': '写入的位置',
  'all takes': '全部录制',
  'some of livelink,glb,fbx,vrma,csv,jsonl,a2f,visemes,rhubarb,blair,moho,textgrid,srt,vtt':
    '可选：livelink,glb,fbx,vrma,csv,jsonl,a2f,visemes,rhubarb,blair,moho,textgrid,srt,vtt',
  'frames a second: own, 24, 25, 29.97, 30, 50, 59.94, 60, 120':
    '每秒帧数：own（录制自身的帧率）、24、25、29.97、30、50、59.94、60、120',
  'names of the files, of {name} {take} {rate} {number} {date} {today} {id}':
    '文件名，由 {name} {take} {rate} {number} {date} {today} {id} 组成',
  'head of a GLB or FBX, in the library; default: the one it was made with':
    'GLB 或 FBX 所用的头模，取自模型库；默认：录制时所用的头模',
  'write over files of the same names': '覆盖同名文件',
  'put takes into the trash, from where the window brings them back': '将录制移到回收站，可在窗口中恢复',
  'erase takes for good: voice, face and record, from the list or the trash':
    '永久清除列表或回收站中的录制：声音、面部与记录',
  'image tasks': '图像任务',
  'submit images and print the ids; the interface has no way to ask after them':
    '提交图像并显示编号；接口没有查询它们的方法',
  'connection; default: the default one': '连接；默认：默认连接',
  'models at a server': '服务器上的模型',
  'ask a server for a model by its id, and fetch its head; never orders or bills anything':
    '按编号向服务器查询模型并取回头模；从不下单，也不产生费用',
  'connection that it was ordered with; default: the default one': '下单时所用的连接；默认：默认连接',
  'ask until it is ready': '持续查询，直到就绪',
  'write the head there, a GLB': '将头模写入该处（GLB）',
  'put the head into the library, with its photo where the queue knows it':
    '将头模放入模型库；如队列中有其照片，则一并放入',
  'library for --add; made where there is none': '--add 所用的模型库；没有时会新建',
  'turn sound files, or folders of them, into lip-sync: an animated GLB or FBX, VRMA, Live Link Face CSV, JSON lines, visemes, TextGrid, subtitles (all but WAV need ffmpeg)':
    '将声音文件或其文件夹转为口型：动画 GLB 或 FBX、VRMA、Live Link Face CSV、JSON 行、viseme 列表、TextGrid、字幕（WAV 以外的格式需要 ffmpeg）',
  'what is said, as .txt, .srt, .vtt, .lab or .TextGrid, or a folder of such files named like the sounds; default: the one beside the sound':
    '所说的台词：.txt、.srt、.vtt、.lab 或 .TextGrid 文件，或存放与声音同名文件的文件夹；默认：声音旁的台词文件',
  'leave words beside the sound alone': '不使用声音旁的台词文件',
  'of the words; default: auto, word for word': '台词的语言；默认：auto，逐词判断',
  'make the face from the whole sound and the words; default: on for the built-in engine':
    '根据完整声音与台词生成面部；默认：内置引擎为 on',
  'take noise from the sound before it is heard: auto, on or off; default: auto, where there is enough of it':
    '识别前先去除声音中的噪声：auto、on 或 off；默认：auto，仅在噪声足够大时',
  'how far the jaw opens, 0.2 to 2; 1 as it was heard': '下颌张开的幅度，0.2 至 2；1 为识别所得',
  'how much the lips move, 0.2 to 2; 1 as it was heard': '嘴唇动作的幅度，0.2 至 2；1 为识别所得',
  'id of a head in the library, a GLB file, or the studio’s own: default, man, stylised':
    '模型库中头模的编号、GLB 文件，或工作室自带的头模：default、man、stylised',
  'only read the sounds and say what would be written': '只读取声音，并说明将写入什么',
  'the servers that the studio can talk to': '工作室可以使用的服务器',
  'list the connections': '列出连接',
  'try a connection; sends nothing that could be billed': '测试连接；不发送任何可能计费的内容',
  'let the keys that stayed behind go where a connection leads now':
    '让未随之更改的密钥发送到连接现在指向之处',
  'without a question, for scripts': '不提问，供脚本使用',
  'the audit log of every call to a server': '每次调用服务器的审计日志',
  'check that nothing was altered, removed or reordered': '校验没有任何内容被更改、删除或调换顺序',
  'go on without entries that are missing; this is written to the log itself':
    '放弃缺失的条目继续运行；此事会写入日志本身',
  'write the journal, of any length, to a file or to standard output': '将日志写入文件或标准输出，长度不限',
  'what was used and what it cost, by connection': '各连接的用量与费用',
  'such as 2026-11; default: this one': '例如 2026-11；默认：本月',
  'such as 2026-11, UTC; default: this one': '例如 2026-11，按 UTC；默认：本月',
  'of what it orders: before others, as usual, after them':
    '所下订单的优先级：先于其他、与平常一样、后于其他',
  'serve the studio in a browser tab on this machine': '在本机的浏览器标签页中提供工作室',
  'fixed port instead of any free one': '使用固定端口，而不是任一空闲端口',
  'open the browser': '打开浏览器',
  'print what makes a shell complete this command line': '输出用于在终端中补全此命令行的脚本',
  'Shell type for completion script': '要生成补全脚本的终端类型',
  'Generate completion suggestions': '生成补全建议',
  'all that is known of one take: figures, words, edits': '一个录制的全部信息：数据、词语、编辑',
  'edit a take: the recording itself never changes': '编辑录制：录音本身不会改变',
  'JSON list of operations, as docs/formats/edits.md has them; -: standard input':
    '操作的 JSON 列表，格式见 docs/formats/edits.md；-：标准输入',
  'take the last edit back': '撤销上一次编辑',
  'the other way': '重做',
  'go to a version, by its name or number': '转到某个版本，按名称或编号',
  'give the edits as they are now a name': '为当前的编辑状态命名',
  'read every file of takes and say what is wrong': '读取录制的每个文件，并说明问题',
  'the engine as a service for many: docs/service.md': '将引擎作为多人服务：docs/service.md',
  'where the service keeps everything; default: in the data folder':
    '服务保存全部内容的位置；默认：数据文件夹内',
  'serve the engine until the process is told to stop': '提供引擎服务，直到进程被要求停止',
  'address of this machine to listen on': '监听所用的本机地址',
  'port to listen on; 0: any free one': '监听的端口；0：任一空闲端口',
  'a host name by which it is called; may be repeated': '访问服务所用的主机名；可重复',
  'a proxy or a range whose X-Forwarded-* is believed; may be repeated':
    '信任其 X-Forwarded-* 的代理或地址范围；可重复',
  'certificate chain, PEM; read again at SIGHUP': '证书链，PEM；收到 SIGHUP 时重新读取',
  'private key of it, PEM': '其私钥，PEM',
  'plain HTTP on an address that others reach': '在他人可访问的地址上使用明文 HTTP',
  'the neutral word in the paths': '路径中的中性词',
  'days for which finished models are kept': '完成的模型保留的天数',
  'seconds that calls under way have to end when it stops': '停止时进行中的请求可用于结束的秒数',
  'another limit than the usual, see docs/service.md; may be repeated':
    '修改默认限制，见 docs/service.md；可重复',
  'of what goes to standard output; debug: every call': '标准输出的日志级别；debug：每次调用',
  'who may call the service': '谁可以调用服务',
  'make a key and show it once': '创建密钥并显示一次',
  'whose models it sees; keys of one tenant share them. Default: its own name':
    '可见其模型的租户；同一租户的密钥共享模型。默认：密钥名称',
  'A: Authorization: Bearer; B: auth_ak; both': 'A：Authorization: Bearer；B：auth_ak；both：两者',
  'what it may be used for': '密钥的用途',
  'the day on which it ends, such as 2027-06-30; default: never': '失效日期，例如 2027-06-30；默认：永不失效',
  'most seconds of sound in a month': '每月音频秒数上限',
  'most frames in a month': '每月帧数上限',
  'most models in a month': '每月模型数上限',
  'requests a second in the long run; 0: any number': '长期每秒请求数；0：不限',
  'requests that may come at once after a pause': '停顿后可同时到达的请求数',
  'requests under way at the same time': '同时进行的请求数',
  'list the keys; none can be shown again': '列出密钥；密钥本身无法再次显示',
  'end a key at once; its calls under way are broken off': '立即吊销密钥；其进行中的请求会被中断',
  'give a key a new secret and show it once': '为密钥更换新值并显示一次',
  'hours for which the secret before goes on': '旧值继续有效的小时数',
  'what was used, by key and month': '按密钥和月份统计用量',
  'of what is written': '输出的格式',
  'a private host, address or range that webhooks may go to; may be repeated':
    'webhook 可以发往的内网主机、地址或网段；可重复指定',
  'what seals the secrets of webhooks, 32 bytes as base64, the same for all nodes; default: made in the folder':
    '用于加密 webhook 密钥的文件，32 字节的 base64，所有节点须相同；默认：在数据文件夹中生成',
  'the audit log of the service: one line a call': '服务的审计日志：每次调用一行',
  'write the audit log to standard output': '将审计日志写到标准输出',
  'of the lines': '各行的格式',
  'the queue that machines share, such as redis://queue.example.org:6379':
    '多台机器共用的队列，例如 redis://queue.example.org:6379',
  'where they keep photos and heads: a folder shared by all, or s3://bucket':
    '照片与头像的共享存放处：所有机器可访问的文件夹，或 s3://bucket',
  'make heads for a queue that machines share': '为多台机器共用的队列制作头像',
  'heads at the same time': '同时制作的头像数',
  'heads at the same time; default: one core stays free for everything else':
    '同时制作的头像数；默认：留一个核心处理其他工作',
  'seconds that heads have to end when it stops': '停止时正在制作的头像可用于完成的秒数',
  'of what goes to standard output': '标准输出的日志级别',
};

/** Fixed lines and line beginnings of commander and of our help, in English and Chinese. */
export const helpFrame: readonly (readonly [english: RegExp, chinese: string])[] = [
  [/^Usage:/gm, '用法：'],
  [/^Arguments:$/gm, '参数：'],
  [/^Options:$/gm, '选项：'],
  [/^Global Options:$/gm, '全局选项：'],
  [/^Commands:$/gm, '命令：'],
  [/^Examples:$/gm, '示例：'],
  [/^Exit codes:$/gm, '退出码：'],
  [/^ {2}0 {2}everything that was asked for was done$/gm, '  0  所要求的全部完成'],
  [
    /^ {2}1 {2}something else went wrong: no such file, no connection, a full disk$/gm,
    '  1  其他问题：没有此文件、无法连接、磁盘已满',
  ],
  [
    /^ {2}2 {2}usage: the command line, or what it was given, does not fit$/gm,
    '  2  用法：命令行或所给内容不符合要求',
  ],
  [
    /^ {2}3 {2}partly: of several things, some were done and some were not$/gm,
    '  3  部分完成：多项中有些完成，有些没有',
  ],
  [
    /^ {2}4 {2}refused, or needs a key or a yes: by a server, the spending cap, or the studio's own rules$/gm,
    '  4  被拒绝，或需要密钥或确认：由服务器、费用上限或工作室自身的规则',
  ],
  [/^ {2}129, 130, 143 {2}ended by a signal$/gm, '  129, 130, 143  被信号终止'],
  [
    /^Words are found from their beginnings: male does not find female\.$/gm,
    '从词首开始匹配：male 不会找到 female。',
  ],
  [
    /^made: is the day that the column Made shows, by the clock of this machine\.$/gm,
    'made: 是“制作日期”列显示的日期，以本机时钟为准。',
  ],
  [/ {2}these words together$/gm, '  这些词连在一起'],
  [/ {2}without this word$/gm, '  不含此词'],
  [/^A word that begins with - goes after --, as in: (.*)$/gm, '以 - 开头的词须放在 -- 之后，例如：$1'],
  [/\(default:\s+/g, '（默认：'],
  [/\(choices:\s+/g, '（可选：'],
  [/(（(?:默认|可选)：[^()]*?)\)/g, '$1）'],
  [/^error: unknown option '(.*)'$/gm, '错误：没有选项“$1”。'],
  [/^error: unknown command '(.*)'$/gm, '错误：没有命令“$1”。'],
  [/^error: missing required argument '(.*)'$/gm, '错误：缺少参数“$1”。'],
  [/^error: required option '(.*)' not specified$/gm, '错误：必须给出选项“$1”。'],
  [/^error: option '(.*)' argument missing$/gm, '错误：选项“$1”缺少值。'],
  [/^error: too many arguments(.*)$/gm, '错误：参数过多$1'],
  [
    /^error: option '(.*)' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/gm,
    '错误：选项“$1”的值“$2”无效；可选：$3。',
  ],
  [/^error: option '(.*)' argument '(.*)' is invalid\. (.*)$/gm, '错误：选项“$1”的值“$2”无效：$3'],
  [/^\(Did you mean (.*)\?\)$/gm, '（是否想用 $1？）'],
  [/^\(Did you mean one of (.*)\?\)$/gm, '（是否想用其中之一：$1？）'],
];
