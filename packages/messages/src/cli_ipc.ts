export const handOverMessages = {
  'cli_ipc.foreign': {
    en: 'The address file of the open studio in {folder} belongs to another user, or others may read it.',
    zh: '通往 {folder} 中打开的工作室的文件属于其他用户，或可被他人读取。',
  },
  'cli_ipc.check_folder': {
    en: 'Check who can write to that folder, and start the studio again.',
    zh: '请检查谁能写入该文件夹，然后重新启动工作室。',
  },
  'cli_ipc.too_long': {
    en: 'The command line is too long for the open studio.',
    zh: '命令行过长，无法交给打开的工作室。',
  },
  'cli_ipc.name_folder': {
    en: 'Pass a folder, or fewer files.',
    zh: '请指定文件夹，或减少文件。',
  },
  'cli_ipc.keys': {
    en: 'A studio is open, and it never receives keys from this terminal’s environment.',
    zh: '工作室已打开，而此终端环境中的密钥绝不会被转交。',
  },
  'cli_ipc.close_or_without': {
    en: 'Close the studio, or repeat the command without them to use the studio’s own keys.',
    zh: '请关闭工作室，或去掉这些密钥后重复命令，以使用工作室自己的密钥。',
  },
  'cli_ipc.silent': {
    en: 'The open studio (process {pid}) does not answer.',
    zh: '打开的工作室（进程 {pid}）没有应答。',
  },
  'cli_ipc.wait_or_close': {
    en: 'Wait until it answers, or close it; then repeat the same command.',
    zh: '请等待其应答，或将其关闭；然后重复同一命令。',
  },
  'cli_ipc.version': {
    en: 'The open studio is version {theirs}, this command line {version}.',
    zh: '打开的工作室版本为 {theirs}，此命令行版本为 {version}。',
  },
  'cli_ipc.other_version': {
    en: 'Use the command line that came with it, or close it and open the other one.',
    zh: '请使用与其配套的命令行，或将其关闭并打开另一个版本。',
  },
  'cli_ipc.again': {
    en: 'Repeat the same command in a moment.',
    zh: '请稍后重复同一命令。',
  },
  'cli_ipc.token': {
    en: 'The open studio refuses this command: its token has changed.',
    zh: '打开的工作室不接受此处的命令：令牌已更改。',
  },
  'cli_ipc.busy': {
    en: 'The open studio runs {commands} commands already.',
    zh: '打开的工作室已在运行 {commands} 个命令。',
  },
  'cli_ipc.wait_for_one': {
    en: 'Wait until one has ended.',
    zh: '请等待其中一个结束。',
  },
  'cli_ipc.malformed': {
    en: 'The open studio does not understand this command line.',
    zh: '打开的工作室无法理解此命令行。',
  },
  'cli_ipc.fewer': {
    en: 'Pass fewer files, or close the studio and repeat the command.',
    zh: '请减少文件，或关闭工作室后重复此命令。',
  },
  'cli_ipc.closing': {
    en: 'The open studio is closing.',
    zh: '打开的工作室正在关闭。',
  },
  'cli_ipc.connection_lost': {
    en: 'The open studio {how, select, nonsense {sent something that this command line does not understand} too_much {sent too much} other {closed the connection}} before the command had ended.',
    zh: '命令尚未结束，打开的工作室{how, select, nonsense {发来了此命令行无法理解的内容} too_much {发来的内容过多} other {关闭了连接}}。',
  },
  'cli_ipc.repeat': {
    en: 'Check the results in the studio before you repeat the command. “batch” without --again orders nothing twice; other commands that send photos or audio may be billed again.',
    zh: '重复此命令之前，请先在工作室中查看已完成的内容。不带 --again 的“batch”不会重复下单；其他发送照片或声音的命令可能再次计费。',
  },
} as const;
