/** Messages about sending faces to other programs and receiving them. */
export const sendMessages = {
  'send.nobody_listens': {
    en: 'No program listens at {address}, port {port}: start it there, or check its port.',
    zh: '{address} 的端口 {port} 上没有程序在接收：请启动那里的程序，或检查其端口。',
  },
  'send.name_not_found': {
    en: 'The name “{address}” could not be looked up: check the address and the network.',
    zh: '无法解析名称“{address}”：请检查地址与网络。',
  },
  'send.not_sent': {
    en: 'Can’t send to {address}, port {port} ({code}).',
    zh: '无法发送到 {address} 的端口 {port}（{code}）。',
  },
  'send.port_taken': {
    en: 'Another program uses port {port}: end it, or change the port here and in the sender.',
    zh: '端口 {port} 已被其他程序占用：请结束该程序，或在两边改用其他端口。',
  },
  'send.not_heard': {
    en: 'Port {port} can’t be opened ({code}).',
    zh: '无法打开端口 {port}（{code}）。',
  },
  'send.damaged': {
    en: 'The list of send targets was damaged and is kept as {kept}.',
    zh: '发送目标的列表已损坏，保存为 {kept}。',
  },
  'send.newer': {
    en: 'The list of send targets was written by a newer studio (version {version}).',
    zh: '发送目标的列表由更新版本的工作室写入（版本 {version}）。',
  },
  'send.too_many': {
    en: 'There are {most} targets already.',
    zh: '已有 {most} 个目标。',
  },
  'send.remove_one': {
    en: 'Remove one that you no longer need.',
    zh: '请移除一个不再需要的。',
  },
  'send.no_target': {
    en: 'This target no longer exists.',
    zh: '此目标已不存在。',
  },
  'send.nothing_live': {
    en: 'There is no live face to send.',
    zh: '没有可发送的实时面部。',
  },
  'send.open_live': {
    en: 'Open the studio and start the microphone in Live, or name a take.',
    zh: '请打开工作室并在“实时”中启动麦克风，或指定一个录制。',
  },
  'cli.packets_sent': {
    en: '✓ {packets} {packets, plural, one {packet} other {packets}} sent to {address}, port {port}; {dropped} not sent',
    zh: '✓ 已向 {address} 的端口 {port} 发送 {packets} 个数据包；未发送 {dropped} 个',
  },
  'cli.no_place': {
    en: '“{to}” isn’t an address with a port.',
    zh: '“{to}”不是带端口的地址。',
  },
  'cli.place_example': {
    en: 'Write it as 10.0.0.5:39539, or studio.local:39539.',
    zh: '请写成 10.0.0.5:39539 或 studio.local:39539。',
  },
} as const;
