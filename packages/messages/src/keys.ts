export const keysMessages = {
  'keys.none_to_unlock': {
    en: 'There are no keys to unlock yet.',
    zh: '目前没有需要解锁的密钥。',
  },
  'keys.choose_passphrase': {
    en: 'Choose a passphrase to protect the keys with, or keep them for this run only.',
    zh: '请设置保护密钥的口令，或仅在本次运行中保留密钥。',
  },
  'keys.wrong_passphrase': {
    en: 'This passphrase does not unlock the keys.',
    zh: '此口令无法解开密钥。',
  },
  'keys.check_keyboard': {
    en: 'Check the keyboard layout and Caps Lock, then type it again.',
    zh: '请检查键盘布局与大写锁定，然后重新输入。',
  },
  'keys.started_over': {
    en: 'You started over.',
    zh: '用户选择了重新开始。',
  },
  'keys.keyring_missing': {
    en: 'The keyring for the keys was missing.',
    zh: '用于解开密钥的密钥环文件缺失。',
  },
  'keys.file_missing': {
    en: 'The key file was missing.',
    zh: '密钥文件缺失。',
  },
  'keys.file_altered': {
    en: 'The key file was altered or damaged: its seal (GCM) does not match.',
    zh: '密钥文件被改动或不完整：其校验（GCM）不符。',
  },
  'keys.file_other': {
    en: 'The key file does not contain keys.',
    zh: '密钥文件的内容不是密钥。',
  },
  'keys.no_reason': {
    en: 'The reason was not recorded.',
    zh: '原因未记录。',
  },
  'keys.environment_wrong': {
    en: 'LIKENESS_PASSPHRASE does not unlock the keys.',
    zh: 'LIKENESS_PASSPHRASE 无法解开密钥。',
  },
  'keys.locked': {
    en: 'The keys are locked with a passphrase.',
    zh: '密钥已用口令锁定。',
  },
  'keys.system_closed': {
    en: "The system's key store ({backend}) does not unlock the keys.",
    zh: '系统的密钥存储（{backend}）无法解开密钥。',
  },
  'keys.desktop_only': {
    en: 'The keys are in the system’s key store, which only the desktop app can open.',
    zh: '密钥由系统的密钥存储锁定，只有桌面应用才能打开。',
  },
  'keys.unlock': {
    en: 'Unlock them with the passphrase, in Settings → Keys or with LIKENESS_PASSPHRASE.',
    zh: '请在“设置”→“密钥”中或用 LIKENESS_PASSPHRASE 以口令解锁。',
  },
  'keys.unlock_system': {
    en: 'Unlock the system’s key store (keychain, wallet) and start the studio again, or keep keys for this run only.',
    zh: '请解锁系统的密钥存储（钥匙串、密码库）后重新启动工作室，或仅在本次运行中保留密钥。',
  },
  'keys.passphrase_on_desktop': {
    en: 'Choose a passphrase in Settings → Keys of the desktop app, or set keys in environment variables.',
    zh: '请在桌面应用的“设置”→“密钥”中设置口令，或通过环境变量提供密钥。',
  },
  'keys.system_unusable': {
    en: "The system's key store ({backend}) can't be used: {systemProblem}.",
    zh: '无法使用系统的密钥存储（{backend}）：{systemProblem}。',
  },
  'keys.system_no_protection': {
    en: "The system's key store ({backend}) protects nothing.",
    zh: '系统的密钥存储（{backend}）不提供任何保护。',
  },
  'keys.no_system': {
    en: 'This system has no key store.',
    zh: '此处没有系统的密钥存储。',
  },
  'keys.not_kept': {
    en: '{why} The key was not kept.',
    zh: '{why}密钥未保存。',
  },
  'keys.keyring_damaged': {
    en: 'The keyring for the keys was damaged.',
    zh: '用于解开密钥的密钥环文件已损坏。',
  },
  'keys.not_read_back': {
    en: 'The key could not be read back after writing it, so nothing was changed.',
    zh: '密钥写入后无法读回，因此未作任何改动。',
  },
  'keys.check_disk': {
    en: 'Check the disk and the system’s key store, then enter the key again.',
    zh: '请检查磁盘与系统的密钥存储，然后重新填写密钥。',
  },
  'keys.cannot_be_read': {
    en: "The keys can't be read: {text}.",
    zh: '无法读取密钥：{text}。',
  },
  'keys.passphrase_short': {
    en: 'A passphrase needs at least {least} characters.',
    zh: '口令至少需要 {least} 个字符。',
  },
  'keys.few_words': {
    en: 'Use a few words that only you would combine.',
    zh: '请用几个只有您会组合在一起的词。',
  },
  'profiles.only_first': {
    en: 'Only the first {most} of {count} connections were imported.',
    zh: '只采用了 {count} 个连接中的前 {most} 个。',
  },
  'profiles.no_connection': {
    en: 'This is not a connection; it was skipped.',
    zh: '这不是连接；已略去。',
  },
  'profiles.not_json': {
    en: 'The file is not JSON.',
    zh: '文件不是 JSON。',
  },
  'profiles.choose_export': {
    en: 'Choose a file that was made with “Export” or “Export all” in Settings → Connections.',
    zh: '请选择在“设置”→“连接”中由“导出”或“全部导出”生成的文件。',
  },
  'profiles.newer': {
    en: 'The file was written by a newer Likeness Studio; some of it may be missing.',
    zh: '文件由更新版本的 Likeness Studio 写入；其中部分内容可能缺失。',
  },
  'profiles.none': {
    en: 'The file has no connections.',
    zh: '文件中没有连接。',
  },
  'rebinding.open_already': {
    en: 'A question about keys is already open.',
    zh: '已有一个关于密钥的问题尚未回答。',
  },
  'rebinding.was_no': {
    en: 'You answered no; you can ask again in {seconds} {seconds, plural, one {second} other {seconds}}.',
    zh: '回答是“否”；{seconds} 秒后可以再次询问。',
  },
  'rebinding.answer_first': {
    en: 'Answer it first: in its window, or in the terminal that runs the studio.',
    zh: '请先回答：在其窗口中，或在运行工作室的终端中。',
  },
  'rebinding.or_type': {
    en: 'Or type the key again, or run “likeness connections bind NAME” in a terminal.',
    zh: '或重新输入密钥，或在终端中运行“likeness connections bind NAME”。',
  },
  'rebinding.none_behind': {
    en: '“{profileName}” has no key that is bound to another server.',
    zh: '“{profileName}”没有绑定到其他服务器的密钥。',
  },
  'rebinding.enter_missing': {
    en: 'If one is missing, enter it in Settings → Connections.',
    zh: '如缺少密钥，请在“设置”→“连接”中填写。',
  },
  'rebinding.question': {
    en: 'Send the keys of “{connection}” to its new server?',
    zh: '要将“{connection}”的密钥发送到它现在的服务器吗？',
  },
  'rebinding.secret': {
    en: '{secret, select, accessToken {Access token} apiKey {API key} clientKey {Client private key} other {Proxy password}}',
    zh: '{secret, select, accessToken {访问令牌} apiKey {API 密钥} clientKey {客户端私钥} other {代理密码}}',
  },
  'rebinding.goes_to': {
    en: '{key} → {origin, select, none {no address yet} other {{origin}}}',
    zh: '{key} → {origin, select, none {尚无地址} other {{origin}}}',
  },
  'rebinding.proxy': {
    en: 'Through the proxy {address}',
    zh: '经由代理 {address}',
  },
  'rebinding.no_proxy': {
    en: 'Without a proxy',
    zh: '不经代理',
  },
  'rebinding.trusted': {
    en: 'Trusted besides the system’s certificate authorities:',
    zh: '除系统的证书颁发机构外，还信任：',
  },
  'rebinding.more_trusted': {
    en: 'And {count} more',
    zh: '以及另外 {count} 个',
  },
  'rebinding.system_trust': {
    en: 'Trusted: the system’s certificate authorities only',
    zh: '仅信任系统的证书颁发机构',
  },
  'rebinding.before': {
    en: 'So far: {origin, select, none {nowhere} other {{origin}}}{proxy, select, none {} other { through {proxy}}}',
    zh: '此前：{origin, select, none {未发送到任何位置} other {{origin}}}{proxy, select, none {} other {，经由 {proxy}}}',
  },
  'rebinding.warning': {
    en: 'Confirm only if you changed this connection yourself.',
    zh: '仅当您亲自更改了此连接时才确认。',
  },
  'rebinding.yes': {
    en: 'Send them there',
    zh: '发送到那里',
  },
  'rebinding.no': {
    en: 'Don’t send',
    zh: '不发送',
  },
} as const;
