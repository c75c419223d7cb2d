/**
 * The help of the command line in Chinese, by its English. It stays outside the table: commander prints the English
 * text of each option where the option is declared, and translates by text alone.
 */
export const helpInChinese: Readonly<Record<string, string>> = {
  'Likeness Studio without a window: portraits to 3D heads, speech to face animation':
    '没有窗口的 Likeness Studio：由肖像制作 3D 头模，由语音驱动面部动画',
  'send a moving face to other programs: VMC, Live Link Face, WebSocket':
    '将面部随动作实时发送到其他程序：VMC、Live Link Face、WebSocket',
  'send a take (its id) or the live face of an open studio (live) over VMC: to VSeeFace, Warudo, Unity and other avatar programs':
    '通过 VMC 发送录制（编号）或已打开工作室的实时面部（live）：VSeeFace、Warudo、Unity 等虚拟形象程序',
  'send a take (its id) or the live face of an open studio (live) to Unreal, as Epic’s Live Link Face app does':
    '像 Epic 的 Live Link Face 应用那样向 Unreal 发送录制（编号）或已打开工作室的实时面部（live）',
  'send a take (its id) or the live face of an open studio (live) to scripts, as JSON over a WebSocket on this machine; prints its address':
    '向脚本发送录制（编号）或已打开工作室的实时面部（live）：输出本机 JSON WebSocket 的地址',
  'host and port to send to; default: this machine, port 39539': '发送到何处；默认：本机，端口 39539',
  'host and port to send to; default: this machine, port 11111': '发送到何处；默认：本机，端口 11111',
  'repeat the take until Ctrl-C': '循环发送录制，直到按 Ctrl-C',
  'channel names: VRM 1.0, VRM 0.x, ARKit, Perfect Sync': '通道的名称：VRM 1.0、VRM 0.x、ARKit、Perfect Sync',
  'port to open on 127.0.0.1; default: any free one': '在 127.0.0.1 上打开的端口；默认：任一空闲端口',
  'frames a second: 24, 25, 30, 50, 60, 120': '每秒帧数：24, 25, 30, 50, 60, 120',
  'output the version number': '显示版本号',
  'display help for command': '显示命令的帮助',
  'print results as JSON: one document, or one line for each item; times in ISO 8601':
    '以 JSON 输出结果，为一个文档或每项一行；时间为 ISO 8601 格式',
  'print no progress and no success messages': '不显示进度，也不显示成功的提示',
  'make a 3D head from one portrait photo': '用一张肖像照片制作 3D 头模',
  'file to write, or a folder if there are several; default: here, named after the photo':
    '要写入的文件，多个文件时为文件夹；默认：当前位置，以照片命名',
  'make the head even if the face is turned, small, blurred, dark or covered':
    '面部偏转、过小、模糊、过暗或被遮挡时也制作',
  'file format: glb, glb-meshopt, fbx, vrm, vrm0, usdz, gltf, obj; default: by the extension of --out, otherwise glb':
    '文件的形式：glb, glb-meshopt, fbx, vrm, vrm0, usdz, gltf, obj；默认：按 --out 的结尾，否则为 glb',
  'file formats, separated by commas: glb,glb-meshopt,fbx,vrm,vrm0,usdz,gltf,obj,zip; default: by the extension of --out, otherwise glb':
    '文件的形式：glb, glb-meshopt, fbx, vrm, vrm0, usdz, gltf, obj, zip；默认：按 --out 的结尾，否则为 glb',
  'convert a head (GLB, also from other tools) to another format':
    '将头模（GLB，包括其他来源的）转换为其他形式',
  'file to write, or a folder if there are several; default: the current folder':
    '要写入的文件，多个文件时为文件夹；默认：当前位置',
  'how to group photos of one person: by the manifest’s column “person”, by folder, by file name, or off':
    '哪些照片属于同一个人：按清单的“person”列、按文件夹、按文件名，或关闭',
  'CSV with data for each photo: file,sex,eyelidType,name,tags,options,person; default: CSV files in the folders with a column “file”':
    '逐张说明的 CSV：file,sex,eyelidType,name,tags,options,person；默认：文件夹中含“file”列的表格',
  'ignore CSV files in the folders': '不使用文件夹中的表格',
  'make heads even if the face is turned, small, blurred, dark or covered, if possible at all':
    '照片偏转、过小、模糊、过暗或被遮挡时，只要能制作头模就制作',
  'file to write, or a folder with one file for each head': '要写入的文件；或文件夹，每个头模各为一个文件',
  'names of the face shapes: as-is, arkit, arkit-pascal, arkit-snake, arkit-short, oculus, oculus-short, vrchat, vrm, vrm0, cc4, metahuman, preston-blair, rhubarb, or the id of a table of yours':
    '面部形态的名称：as-is、arkit、arkit-pascal、arkit-snake、arkit-short、oculus、oculus-short、vrchat、vrm、vrm0、cc4、metahuman、preston-blair、rhubarb，或你自己的名称表的编号',
  'names of the files: {name} {date} {today} {number:3} {sex} {id}':
    '文件的名称：{name} {date} {today} {number:3} {sex} {id}',
  'overwrite files of the same names in the folder': '覆盖文件夹中的同名文件',
  'back up and restore all settings, without keys': '备份和恢复全部设置，不含密钥',
  'write settings and connections; the browser keeps its own settings':
    '写入设置与连接；页面自己保存的内容在其设置中保存',
  'restore settings from a file; connections that it does not name stay':
    '从文件恢复设置；其中未提及的连接保持不变',
  'show what would change, and change nothing': '说明会有哪些更改，但不更改任何内容',
  'a head’s id in the library, a GLB file, or default, man or stylised; default: the one it was made with':
    '库中头模的 id、GLB 文件，或 default、man、stylised；默认：录制时所用的头模',
  'background picture: JPEG, HEIC, PNG, WebP, AVIF, TIFF or GIF':
    '置于其后的图片：JPEG、HEIC、PNG、WebP、AVIF、TIFF 或 GIF',
  'cover: fill the frame and crop the picture; contain: show the whole picture on the background colour':
    'cover：裁去两侧；contain：完整显示，其余为背景色',
  'sex of the person': '头模的性别',
  '1 = single eyelid, 2 = double eyelid': '1 = 单眼皮，2 = 双眼皮',
  'JSON file with strokes and crown, as in operation B1': '含 strokes 与 crown 的 JSON，格式与 B1 相同',
  'make heads again from their photos and replace them; the earlier files are kept':
    '用原照片重新制作头模并取代原文件；原文件会保留',
  'all heads that an older built-in engine made': '所有由旧版内置引擎制作的头模',
  'make new heads and keep the existing ones': '作为新的头模，与现有的并存',
  'JSON file with options: smile, light, glasses, eye and hair colour, size':
    '含选项的 JSON：嘴部、光线、眼镜、眼睛与头发颜色、大小',
  'make heads from folders or files of portrait photos; repeat the same command to continue':
    '将肖像照片的文件夹（或文件）制作成头模；重复同一命令即可继续',
  'sex of all photos': '所有照片中人物的性别',
  'connection to send to; default: the default connection': '发送所用的连接；默认：默认连接',
  'library for the heads; created if it does not exist': '存放头模的模型库；没有时会新建',
  'photos to process at the same time': '同时进行的照片数',
  'also send photos that the library has already': '模型库中已有的也重新发送',
  'minutes to wait while the queue is blocked, then exit with 4; default: until it continues':
    '队列受阻时等待的分钟数，之后以 4 结束；默认：直到队列继续运行',
  'only check the photos and show what would be sent': '只检查照片，并说明将发送什么',
  'list, search, export and erase heads': '列出、搜索、导出和清除头模',
  'list the heads, newest first': '列出头模，最新的在前',
  'library; default: all libraries': '模型库；默认：工作室所知的全部',
  'maximum number to list': '最多列出的数量',
  'find heads by name, tag, note, file, date, connection or state':
    '按名称、标签、备注、文件、日期、连接或状态查找头模',
  'show details of a head, and whether it can be animated': '显示一个头模的详细信息，以及能否驱动',
  'export heads to a file: by id, by search, or all': '将头模写入文件：按编号、按搜索，或全部',
  'file to write': '要写入的文件',
  'heads that this search finds; syntax as in library search': '此搜索找到的头模，写法与 library search 相同',
  'all heads': '全部头模',
  'file format': '文件格式',
  'naming of the face shapes': '面部形状的命名方式',
  'export the heads’ metadata as CSV or JSON': '将头模的信息写为 CSV 或 JSON',
  'erase heads permanently, with all their data in the studio': '永久清除头模，以及工作室保存的一切相关内容',
  'also erase the takes of these heads': '连同这些头模的录制',
  'confirm; without it, only show what would be erased': '确认执行；不加则只说明将清除什么',
  'list the libraries and their folders': '列出模型库及其位置',
  'open the library in a folder, or create one there': '打开文件夹中的模型库，或在那里新建',
  'name; default: the folder’s name': '名称；默认：文件夹的名称',
  'move a library to another folder, on any disk': '将模型库移到另一个文件夹，可在同一磁盘或其他磁盘',
  'library; default: the one for new heads': '模型库；默认：存放新头模的那个',
  'check every file of a library': '检查模型库的每个文件',
  'rebuild the index from the folders': '根据文件夹重建索引',
  'list, edit, export and erase takes': '列出、编辑、导出和清除录制',
  'render takes on a head as video, frame by frame: WebM, MP4, or a PNG sequence with its sound':
    '将录制逐帧渲染为视频：WebM、MP4 或附声音的 PNG 序列',
  'file to write: .webm, .mp4, or a folder for PNG; for several takes, the folder of the videos':
    '影片：.webm、.mp4，或用于 PNG 的文件夹；多个录制时为存放影片的文件夹',
  'file names in the folder, from {name} {take} {rate} {number} {date} {today} {id}; default: {name}':
    '文件夹中影片的名称，由 {name} {take} {rate} {number} {date} {today} {id} 组成；默认：{name}',
  'short, 1080p, obs, or a preset saved in the studio; other options override it':
    'short、1080p、obs，或在工作室中保存的预设；单独给出的选项优先',
  'web, vtuber, vrchat, or a preset saved in the studio; other options override it':
    'web、vtuber、vrchat，或在工作室中保存的预设；单独给出的选项优先',
  'video format; default: by the extension of the path, otherwise webm': '默认：按路径的结尾，否则为 webm',
  'width and height, even numbers of pixels': '宽和高，须为偶数像素',
  'frames a second': '每秒帧数',
  'framing of the head': '头部的取景范围',
  'camera angle': '镜头角度',
  'background colour, as #rrggbb': '背景颜色，写作 #rrggbb',
  'transparent background (WebM and PNG)': '无背景：透明（WebM 和 PNG）',
  'render quality; auto: by the graphics hardware': '绘制的精细程度；auto：按绘制设备而定',
  'draw the take’s words as subtitles; a take without a transcript has none':
    '将录制的词语画成字幕；没有台词的录制没有字幕',
  'overwrite a file of the same name': '覆盖同名文件',
  'list the takes, newest first': '列出录制，最新的在前',
  'list only takes that match: words, tag:film, rating:>3': '仅列出找到的：词、tag:film、rating:>3',
  'sort by: created, name, rating, length': '排序：created、name、rating、length',
  'reverse the order': '反向排序',
  'takes that this search finds; syntax as in take list': '此搜索找到的录制，写法与 take list 相同',
  'rate takes in figures: lip closures, peaks, jaw against sound, jitter, frames':
    '用数字说明录制的质量：真正闭合的闭唇、保留的峰值、下颌与声音、抖动、帧',
  'head in the library to measure lip closures on; default: the take’s own head':
    '用于测量闭唇的头模（在模型库中）；默认：录制时所用的头模',
  'print as json or csv': '以文件的形式输出：json、csv',
  'rate takes with 0 to 5 stars': '为录制评星，0 到 5',
  'add and remove tags of takes': '为录制添加或移除标签',
  'tags to add, separated by commas': '要添加的标签，以逗号分隔',
  'tags to remove, separated by commas': '要移除的标签，以逗号分隔',
  'list the trash': '列出回收站中的内容',
  'export takes to the formats of other programs': '将录制写成其他程序可读的格式',
  'folder to write to': '写入的位置',
  'all takes': '全部录制',
  'formats, separated by commas: livelink,glb,fbx,vrma,csv,jsonl,a2f,visemes,rhubarb,blair,moho,textgrid,srt,vtt':
    '格式，以逗号分隔：livelink,glb,fbx,vrma,csv,jsonl,a2f,visemes,rhubarb,blair,moho,textgrid,srt,vtt',
  'frames a second: own, 24, 25, 29.97, 30, 50, 59.94, 60, 120':
    '每秒帧数：own（录制自身的帧率）、24、25、29.97、30、50、59.94、60、120',
  'file names, from {name} {take} {rate} {number} {date} {today} {id}':
    '文件名，由 {name} {take} {rate} {number} {date} {today} {id} 组成',
  'head in the library for films, GLB or FBX; default: the take’s own head':
    '影片、GLB 或 FBX 所用的头模，取自模型库；默认：录制时所用的头模',
  'overwrite files of the same names': '覆盖同名文件',
  'move takes to the trash; the studio’s window can restore them': '将录制移到回收站，可在窗口中恢复',
  'erase takes permanently, from the list or the trash: voice, face and data':
    '永久清除列表或回收站中的录制：声音、面部与记录',
  'submit image tasks': '提交图像任务',
  'submit images and print the task ids; the interface has no status query for them':
    '提交图像并显示编号；接口没有查询它们的方法',
  'connection; default: the default connection': '连接；默认：默认连接',
  'query models on a server': '查询服务器上的模型',
  'query a model on a server by its id, and download its head; never orders or bills anything':
    '按编号向服务器查询模型并取回头模；从不下单，也不产生费用',
  'connection with which it was ordered; default: the default connection': '下单时所用的连接；默认：默认连接',
  'wait until it is ready': '持续查询，直到就绪',
  'file to write the head to (GLB)': '将头模写入该处（GLB）',
  'add the head to the library, with its photo if the queue has it':
    '将头模放入模型库；如队列中有其照片，则一并放入',
  'library for --add; created if it does not exist': '--add 所用的模型库；没有时会新建',
  'make lip-sync from audio files or folders: animated GLB or FBX, VRMA, Live Link Face CSV, JSON lines, visemes, TextGrid, subtitles (audio other than WAV needs ffmpeg)':
    '将声音文件或其文件夹转为口型：动画 GLB 或 FBX、VRMA、Live Link Face CSV、JSON 行、viseme 列表、TextGrid、字幕（WAV 以外的格式需要 ffmpeg）',
  'transcript: .txt, .srt, .vtt, .lab or .TextGrid, or a folder of such files named like the audio files; default: the transcript beside the audio':
    '所说的台词：.txt、.srt、.vtt、.lab 或 .TextGrid 文件，或存放与声音同名文件的文件夹；默认：声音旁的台词文件',
  'ignore transcripts beside the audio': '不使用声音旁的台词文件',
  'language of the transcript; default: auto, detected for each word': '台词的语言；默认：auto，逐词判断',
  'make the face from the whole audio and its transcript; default: on for the built-in engine':
    '根据完整声音与台词生成面部；默认：内置引擎为 on',
  'suppress noise before the analysis: auto, on or off; default: auto, only for noisy audio':
    '分析前先抑制噪声：auto、on 或 off；默认：auto，仅用于有噪声的音频',
  'how far the jaw opens, 0.2 to 2; 1: as analysed': '下颌张开的幅度，0.2 至 2；1 为识别所得',
  'how much the lips move, 0.2 to 2; 1: as analysed': '嘴唇动作的幅度，0.2 至 2；1 为识别所得',
  'id of a head in the library, a GLB file, or a built-in head: default, man, stylised':
    '模型库中头模的编号、GLB 文件，或工作室自带的头模：default、man、stylised',
  'only read the audio and show what would be written': '只读取声音，并说明将写入什么',
  'list, test and bind connections to servers': '列出、测试和绑定服务器连接',
  'list the connections': '列出连接',
  'test a connection; sends nothing that could be billed': '测试连接；不发送任何可能计费的内容',
  'bind a connection’s keys to its current server, after its address changed':
    '服务器地址更改后，将连接的密钥绑定到当前服务器',
  'do not ask, for scripts': '不提问，供脚本使用',
  'verify and export the audit log of all calls to servers': '校验和导出所有服务器调用的审计日志',
  'check that nothing was altered, removed or reordered': '校验没有任何内容被更改、删除或调换顺序',
  'continue without missing entries; the log records this': '放弃缺失的条目继续运行；此事会写入日志本身',
  'write the whole journal to a file or to standard output': '将日志写入文件或标准输出，长度不限',
  'show usage and cost by connection': '各连接的用量与费用',
  'month such as 2026-11; default: this month': '例如 2026-11；默认：本月',
  'month such as 2026-11, UTC; default: this month': '例如 2026-11，按 UTC；默认：本月',
  'priority of its orders': '所下订单的优先级：先于其他、与平常一样、后于其他',
  'serve the studio in a browser tab on this machine': '在本机的浏览器标签页中提供工作室',
  'port to listen on; default: any free one': '监听的端口；默认：任一空闲端口',
  'open the browser': '打开浏览器',
  'print a completion script for a shell': '输出用于在终端中补全此命令行的脚本',
  'Shell type for completion script': '要生成补全脚本的终端类型',
  'Generate completion suggestions': '生成补全建议',
  'show details of a take: figures, words, edits': '显示一个录制的详细信息：数据、词语、编辑',
  'edit a take: the recording itself never changes': '编辑录制：录音本身不会改变',
  'JSON list of operations, see docs/formats/edits.md; -: standard input':
    '操作的 JSON 列表，格式见 docs/formats/edits.md；-：标准输入',
  'undo the last edit': '撤销上一次编辑',
  'redo the last undone edit': '重做',
  'go to a version, by its name or number': '转到某个版本，按名称或编号',
  'name the current version of the edits': '为当前的编辑状态命名',
  'check every file of takes and report problems': '读取录制的每个文件，并说明问题',
  'run the engine as a service for a team: docs/service.md': '将引擎作为团队服务运行：docs/service.md',
  'folder for all data of the service; default: in the data folder':
    '服务保存全部内容的位置；默认：数据文件夹内',
  'run the service until it is stopped': '运行服务，直到被停止',
  'address of this machine to listen on': '监听所用的本机地址',
  'port to listen on; 0: any free one': '监听的端口；0：任一空闲端口',
  'a host name under which clients reach the service; may be repeated': '访问服务所用的主机名；可重复',
  'a proxy or address range whose X-Forwarded-* headers are trusted; may be repeated':
    '信任其 X-Forwarded-* 的代理或地址范围；可重复',
  'certificate chain, PEM; reloaded at SIGHUP': '证书链，PEM；收到 SIGHUP 时重新读取',
  'private key of the certificate, PEM': '其私钥，PEM',
  'allow plain HTTP on an address that other machines can reach': '在他人可访问的地址上使用明文 HTTP',
  'the neutral word in the paths': '路径中的中性词',
  'days to keep finished models': '完成的模型保留的天数',
  'seconds for running calls to end when the service stops': '停止时进行中的请求可用于结束的秒数',
  'override a limit, see docs/service.md; may be repeated': '修改默认限制，见 docs/service.md；可重复',
  'log level of standard output; debug: every call': '标准输出的日志级别；debug：每次调用',
  'manage the keys of the service': '管理服务的密钥',
  'create a key and show it once': '创建密钥并显示一次',
  'tenant of the key; keys of one tenant share their models; default: the key’s name':
    '密钥所属的租户；同一租户的密钥共享模型；默认：密钥名称',
  'A: Authorization: Bearer; B: auth_ak; both': 'A：Authorization: Bearer；B：auth_ak；both：两者',
  'scopes of the key': '密钥的用途',
  'expiry date, such as 2027-06-30; default: never': '失效日期，例如 2027-06-30；默认：永不失效',
  'maximum seconds of audio per month': '每月音频秒数上限',
  'maximum frames per month': '每月帧数上限',
  'maximum models per month': '每月模型数上限',
  'average requests per second; 0: no limit': '长期每秒请求数；0：不限',
  'burst: requests that may arrive at once after a pause': '停顿后可同时到达的请求数',
  'concurrent requests': '同时进行的请求数',
  'list the keys, without their secrets': '列出密钥；密钥本身无法再次显示',
  'revoke a key at once; its running calls are aborted': '立即吊销密钥；其进行中的请求会被中断',
  'replace the secret of a key and show the new one once': '为密钥更换新值并显示一次',
  'hours for which the old secret still works': '旧值继续有效的小时数',
  'show usage by key and month': '按密钥和月份统计用量',
  'output format': '输出的格式',
  'a private host, address or range to which webhooks may be sent; may be repeated':
    'webhook 可以发往的内网主机、地址或网段；可重复指定',
  'file with the encryption key for webhook secrets, 32 bytes as base64, the same on all nodes; default: created in the folder':
    '用于加密 webhook 密钥的文件，32 字节的 base64，所有节点须相同；默认：在数据文件夹中生成',
  'export the audit log of the service: one line per call': '导出服务的审计日志：每次调用一行',
  'copy keys, audit log, queue and heads to a new folder, also while the service runs':
    '将密钥、审计日志、队列和头模复制到新文件夹；服务运行时也可使用',
  'write the audit log to standard output': '将审计日志写到标准输出',
  'format of the lines': '各行的格式',
  'queue shared by several machines, such as redis://queue.example.org:6379':
    '多台机器共用的队列，例如 redis://queue.example.org:6379',
  'shared store for photos and heads: a folder, or s3://bucket':
    '照片与头模的共享存储：文件夹，或 s3://bucket',
  'make heads for a queue shared by several machines': '为多台机器共用的队列制作头模',
  'heads to make at the same time': '同时制作的头模数',
  'heads to make at the same time; default: leaves one core free':
    '同时制作的头模数；默认：留一个核心处理其他工作',
  'seconds for running heads to end when the worker stops': '停止时正在制作的头模可用于完成的秒数',
  'log level of standard output': '标准输出的日志级别',
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
  [/^ {2}0 {2}success$/gm, '  0  成功'],
  [
    /^ {2}1 {2}failure: for example a missing file, no connection, a full disk$/gm,
    '  1  其他问题：没有此文件、无法连接、磁盘已满',
  ],
  [/^ {2}2 {2}usage: the command line or its input is wrong$/gm, '  2  用法：命令行或所给内容不符合要求'],
  [/^ {2}3 {2}partial success: some of several items failed$/gm, '  3  部分完成：多项中有些完成，有些没有'],
  [
    /^ {2}4 {2}refused by a server, the spending cap or the studio, or a key or confirmation is missing$/gm,
    '  4  被拒绝，或需要密钥或确认：由服务器、费用上限或工作室自身的规则',
  ],
  [/^ {2}129, 130, 143 {2}ended by a signal$/gm, '  129, 130, 143  被信号终止'],
  [
    /^Words match from their beginning: male does not find female\.$/gm,
    '从词首开始匹配：male 不会找到 female。',
  ],
  [
    /^made: is the day in the column Made, in local time\.$/gm,
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
