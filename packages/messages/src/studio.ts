export const studioMessages = {
  'studio.log_has_details': {
    en: 'The log in the data folder has the details.',
    zh: '详情见数据文件夹中的日志。',
  },
  'studio.closing': {
    en: 'The studio is closing.',
    zh: '工作室正在关闭。',
  },
  'thread.cancelled': {
    en: 'Cancelled.',
    zh: '已取消。',
  },
  'cli.no_take': {
    en: 'There is no take “{id}”.',
    zh: '没有录制“{id}”。',
  },
  'cli.path_there_already': {
    en: '{path} already exists.',
    zh: '{path} 已存在。',
  },
  'cli.interrupted': {
    en: 'Interrupted.',
    zh: '已中断。',
  },
  'cli.nobody_reads': {
    en: 'The reader closed the output.',
    zh: '输出已无人读取。',
  },
  'studio.running': {
    en: 'The studio is already running{holder, select, none {} desktop { (desktop app, process {pid})} serve { (in a browser, process {pid})} other { ({holder}, process {pid})}} on {folder}.',
    zh: '工作室已在 {folder} 上运行{holder, select, none {} desktop {（桌面应用，进程 {pid}）} serve {（浏览器，进程 {pid}）} other {（{holder}，进程 {pid}）}}。',
  },
  'studio.close_first': {
    en: 'Close it first, or set LIKENESS_HOME to another folder.',
    zh: '请先将其关闭，或用 LIKENESS_HOME 指定其他文件夹。',
  },
  'desktop.cannot_start': {
    en: 'Likeness Studio can’t start',
    zh: 'Likeness Studio 无法启动',
  },
  'dropped_files.files_gone': {
    en: 'These files no longer exist.',
    zh: '这些文件已不在原处。',
  },
  'dropped_files.drop_again': {
    en: 'Drop them again.',
    zh: '请重新拖入。',
  },
  'ipc.not_own_page': {
    en: 'The request did not come from the studio’s own page.',
    zh: '请求不是来自工作室自己的页面。',
  },
  'ipc.open_own': {
    en: 'Open the studio from its own window or link.',
    zh: '请从工作室自己的窗口或链接打开。',
  },
  'ipc.no_call': {
    en: 'The studio has no call named "{name}".',
    zh: '工作室没有名为“{name}”的调用。',
  },
  'ipc.reload': {
    en: 'Reload the window: the page and the studio may be of different versions.',
    zh: '请重新加载窗口：页面与工作室的版本可能不同。',
  },
  'ipc.correct_field': {
    en: 'Correct this field and try again.',
    zh: '请更正此字段，然后重试。',
  },
  'ipc.defect': {
    en: 'An error in the studio, in {where}.',
    zh: '工作室在 {where} 中出错。',
  },
  'ipc.report': {
    en: 'The log in the data folder has the details; please report it.',
    zh: '详情见数据文件夹中的日志；请报告此问题。',
  },
  'studio.open_link': {
    en: 'Open the link in its terminal, or stop it first.',
    zh: '请打开其终端中的链接，或先将其停止。',
  },
  'settings.damaged': {
    en: 'The settings file was damaged and is kept as {kept}; everything is at its default.',
    zh: '设置文件已损坏，保留为 {kept}；一切恢复为默认值。',
  },
  'settings.newer': {
    en: 'The settings were written by a newer Likeness Studio (version {version}).',
    zh: '设置由更新版本的 Likeness Studio 写入（版本 {version}）。',
  },
  'ipc.answer_not_sent': {
    en: 'The answer to {name} could not be sent to the page: it may be too large.',
    zh: '无法将 {name} 的应答发送到页面：内容可能过多。',
  },
  'upload.no_name': {
    en: 'The file has no usable name.',
    zh: '文件没有可用的名称。',
  },
  'upload.too_large': {
    en: '“{name}” is larger than 1 GB.',
    zh: '“{name}”大于 1 GB。',
  },
  'upload.disk_full': {
    en: 'The disk is full. Free some space and drop the files again.',
    zh: '磁盘已满。请腾出空间，然后重新拖入文件。',
  },
  'upload.not_whole': {
    en: '“{name}” did not arrive completely{code, select, in_brackets { ({codeCode})} other {}}. Drop it again.',
    zh: '“{name}”未能完整到达{code, select, in_brackets {（{codeCode}）} other {}}。请重新拖入。',
  },
  'ipc.no_files': {
    en: 'Not a list of files.',
    zh: '不是文件列表。',
  },
  'shell.needs_desktop': {
    en: '{what} needs the desktop app.',
    zh: '{what}需要桌面应用。',
  },
  'shell.drop_files': {
    en: 'Drop files on the window, or pass them on the command line.',
    zh: '请将文件拖到窗口中，或在命令行中指定。',
  },
  'shell.no_file_manager': {
    en: 'This system has no file manager.',
    zh: '没有可用来显示它的文件管理器。',
  },
  'shell.it_is_at': {
    en: 'It is at {path}.',
    zh: '它位于 {path}。',
  },
  'shell.choosing_files': {
    en: 'Choosing files in a dialog',
    zh: '在对话框中选择文件',
  },
  'shell.needs_terminal': {
    en: 'The question needs a terminal, and the studio was started without one.',
    zh: '该问题需要终端，而工作室启动时没有终端。',
  },
  'shell.type_again': {
    en: 'Type the key again, or run “likeness connections bind NAME” in a terminal, or with --yes.',
    zh: '请重新输入密钥，或在终端中运行“likeness connections bind NAME”，或加上 --yes。',
  },
  'shell.own_window': {
    en: 'A separate window needs the desktop app.',
    zh: '工作室自己的窗口需要桌面应用。',
  },
  'shell.open_from_page': {
    en: 'In a browser, open it from the page.',
    zh: '在浏览器中，请从页面打开它。',
  },
  'shell.global_keys': {
    en: 'Global keys need the desktop app.',
    zh: '在其他程序中也有效的快捷键需要桌面应用。',
  },
  'shell.page_keys': {
    en: 'Keys of the page work while it is in front.',
    zh: '页面在最前面时，页面自己的快捷键有效。',
  },
  'studio.no_browser': {
    en: 'This studio is not open in a browser.',
    zh: '此工作室没有在浏览器中打开。',
  },
  'studio.only_desktop_quits': {
    en: 'Only the desktop app can be quit from its window.',
    zh: '只有桌面应用可以从其窗口退出。',
  },
  'studio.stop_in_terminal': {
    en: 'Stop the program in the terminal that started it.',
    zh: '请在启动它的终端中停止该程序。',
  },
  'studio.closed': {
    en: 'The studio is closed.',
    zh: '工作室已关闭。',
  },
  'page.too_much': {
    en: '{what} has {megabytes} MB; the page can send at most {most} MB at once.',
    zh: '{what} 有 {megabytes} MB；一次最多可向工作室发送 {most} MB。',
  },
  'page.smaller_parts': { en: 'Send it in smaller parts.', zh: '请分成较小的部分发送。' },
  'page.cut_off': {
    en: 'The connection between this page and the studio broke.',
    zh: '此页面与工作室之间的连接已中断。',
  },
  'page.connects_again': {
    en: 'The page connects again by itself while the studio runs. If it has stopped, start it and open the link that its terminal shows.',
    zh: '工作室运行期间，页面会自行重新连接。如果工作室已停止，请启动它，然后打开其终端显示的链接。',
  },
  'page.not_sent': { en: '{name} could not be sent: {problem}.', zh: '无法发送 {name}：{problem}。' },
  'page.restart': {
    en: 'Restart Likeness Studio. If it happens again, report it with the log.',
    zh: '请重新启动 Likeness Studio。如再次发生，请连同日志一起报告。',
  },
  'ipc.invalid': {
    en: '{field}: {problem, select, not_expected {not valid} other {{problem}}}',
    zh: '{field}：{problem, select, not_expected {不符合要求} other {{problem}}}',
  },
  'desktop.menu_file': {
    en: '&File',
    zh: '文件(&F)',
  },
  'desktop.menu_edit': {
    en: '&Edit',
    zh: '编辑(&E)',
  },
  'desktop.menu_view': {
    en: '&View',
    zh: '视图(&V)',
  },
  'desktop.menu_go': {
    en: '&Go',
    zh: '前往(&G)',
  },
  'desktop.menu_window': {
    en: '&Window',
    zh: '窗口(&W)',
  },
  'desktop.menu_help': {
    en: '&Help',
    zh: '帮助(&H)',
  },
  'desktop.portraits': {
    en: 'Portraits',
    zh: '肖像',
  },
  'desktop.library': {
    en: 'Library',
    zh: '模型库',
  },
  'desktop.live': {
    en: 'Live',
    zh: '实时',
  },
  'desktop.takes': {
    en: 'Takes',
    zh: '录制',
  },
  'desktop.activity': {
    en: 'Activity',
    zh: '活动',
  },
  'desktop.settings': {
    en: 'Settings…',
    zh: '设置…',
  },
  'desktop.palette': {
    en: 'Command Palette…',
    zh: '命令面板…',
  },
  'desktop.shortcuts': {
    en: 'Keyboard Shortcuts',
    zh: '键盘快捷键',
  },
  'desktop.quit_while_busy': {
    en: 'Quit while work is running?',
    zh: '任务仍在进行，要退出吗？',
  },
  'desktop.quit_loses': {
    en: '{work, select, heads {Heads are being made from photos.\n\nFinished heads are kept. The queue continues at the next start.} other {A take is being recorded.\n\nThe recording ends now and is kept as a take.}}',
    zh: '{work, select, heads {正在根据照片生成头模。\n\n已完成的会保留，队列将在下次启动时继续。} other {正在录制。\n\n录制将到此结束，并保留为录制。}}',
  },
  'desktop.keep_working': {
    en: 'Keep working',
    zh: '继续工作',
  },
  'desktop.quit_anyway': {
    en: 'Quit anyway',
    zh: '仍要退出',
  },
  'desktop.page_crashed': {
    en: 'The window stopped working',
    zh: '窗口已停止工作',
  },
  'desktop.page_crashed_twice': {
    en: 'It was reloaded and stopped again. Work in the background continues. The log in the data folder has the details.',
    zh: '已尝试重新加载，但再次停止。后台任务仍在继续。详细信息请见数据文件夹中的日志。',
  },
  'desktop.reload': {
    en: 'Reload',
    zh: '重新加载',
  },
  'desktop.quit': {
    en: 'Quit',
    zh: '退出',
  },
  'desktop.unprotected': {
    en: 'Likeness Studio was started without its sandbox',
    zh: 'Likeness Studio 启动时没有沙箱保护',
  },
  'desktop.unprotected_why': {
    en: 'The sandbox keeps a faulty or malicious image, model or server answer from reaching your files and keys. Nothing has been loaded yet.\n\nAn AppImage starts without it on systems that do not let programs create a sandbox. To fix this, do one of these:\n• Install the .deb package instead: it brings everything that the sandbox needs.\n• Give the AppImage an AppArmor profile that allows “userns”.\n• In the folder of an unpacked AppImage, run: sudo chown root:root chrome-sandbox, then sudo chmod 4755 chrome-sandbox.\nIf you set --no-sandbox or ELECTRON_DISABLE_SANDBOX yourself, remove it.',
    zh: '沙箱可防止有缺陷或恶意的图片、模型或服务器响应触及您的文件与密钥。目前尚未加载任何内容。\n\n如果系统不允许程序自行建立沙箱，AppImage 就会在没有沙箱的情况下启动。解决办法（任选其一）：\n• 改为安装 .deb 软件包，它带有沙箱所需的一切。\n• 为该 AppImage 设置允许“userns”的 AppArmor 配置。\n• 如果您已将它解包：先执行 sudo chown root:root chrome-sandbox，再执行 sudo chmod 4755 chrome-sandbox。\n如果是您自己设置了 --no-sandbox 或 ELECTRON_DISABLE_SANDBOX，请将其去掉。',
  },
  'desktop.continue_unprotected': {
    en: 'Continue without the sandbox',
    zh: '在没有沙箱的情况下继续',
  },
  'sign_in.opening': {
    en: 'Opening the studio…',
    zh: '正在打开工作室…',
  },
  'sign_in.used': {
    en: 'This link was already used, was replaced by a newer one, or is from an earlier run of the studio.',
    zh: '此链接已被使用、已被新的链接取代，或来自工作室此前的一次运行。',
  },
  'sign_in.expired': {
    en: 'This link has expired.',
    zh: '此链接已过期。',
  },
  'sign_in.ended': {
    en: 'This page’s session has ended, or the studio was restarted.',
    zh: '此页面的会话已结束，或工作室已重新启动。',
  },
  'sign_in.none': {
    en: 'This page was opened without a link from the studio.',
    zh: '此页面不是通过工作室的链接打开的。',
  },
  'sign_in.unreachable': {
    en: 'The studio does not answer. Start it again and open the link that its terminal shows.',
    zh: '工作室没有响应。请重新启动它，并打开其终端显示的链接。',
  },
  'sign_in.how': {
    en: 'Open a link from the studio’s terminal; each opens one page, within ten minutes. To get a new link, choose Settings → Open pages in a page that is open, send the signal USR1 to the studio’s process, or restart it.',
    zh: '请打开工作室终端中显示的链接；每个链接只能在十分钟内打开一个页面。如需新链接：在已打开的页面中选择“设置”→“打开的页面”，或向工作室进程发送信号 USR1，或重新启动工作室。',
  },
} as const;
