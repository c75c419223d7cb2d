import type { Settings } from '#contract';

export type Language = Settings['language'];

/** Texts of the desktop shell: its menu and its dialogs. The page has its own texts. */
export interface ShellWords {
  file: string;
  edit: string;
  view: string;
  go: string;
  window: string;
  help: string;
  portraits: string;
  library: string;
  live: string;
  takes: string;
  activity: string;
  settings: string;
  palette: string;
  shortcuts: string;
  quitWhileBusy: {
    message: string;
    stay: string;
    quit: string;
    /** The key of `Studio.busy()`, and the consequence of quitting. */
    works: Record<'heads' | 'take', string>;
  };
  pageCrashed: { message: string; detail: string; reload: string; quit: string };
  unprotected: { message: string; detail: string; quit: string; goOn: string };
}

export const shellWords: Record<Language, ShellWords> = {
  en: {
    file: '&File',
    edit: '&Edit',
    view: '&View',
    go: '&Go',
    window: '&Window',
    help: '&Help',
    portraits: 'Portraits',
    library: 'Library',
    live: 'Live',
    takes: 'Takes',
    activity: 'Activity',
    settings: 'Settings…',
    palette: 'Command Palette…',
    shortcuts: 'Keyboard Shortcuts',
    quitWhileBusy: {
      message: 'Quit while work is running?',
      stay: 'Keep working',
      quit: 'Quit anyway',
      works: {
        heads:
          'Heads are being made from photos.\n\nThose that are finished are kept. The queue goes on at the next start.',
        take: 'A take is being recorded.\n\nThe recording ends here and is kept as a take.',
      },
    },
    pageCrashed: {
      message: 'The window stopped working',
      detail:
        'It was reloaded and stopped again. Work in the background goes on. The log in the data folder has the details.',
      reload: 'Reload',
      quit: 'Quit',
    },
    unprotected: {
      message: 'Likeness Studio was started without its protection',
      detail:
        'The sandbox is off. It keeps a faulty or malicious picture, model or answer of a server from reaching your files and keys. ' +
        'Nothing has been loaded yet.\n\n' +
        'An AppImage is started so where the system lets no program make a sandbox of its own. What helps:\n' +
        '• install the .deb package instead: it brings what the sandbox needs, or\n' +
        '• give the AppImage an AppArmor profile that allows “userns”, or\n' +
        '• where you unpacked it: sudo chown root:root chrome-sandbox, then sudo chmod 4755 chrome-sandbox.\n' +
        'If you set --no-sandbox or ELECTRON_DISABLE_SANDBOX yourself, remove it.',
      quit: 'Quit',
      goOn: 'Go on without protection',
    },
  },
  'zh-CN': {
    file: '文件(&F)',
    edit: '编辑(&E)',
    view: '视图(&V)',
    go: '前往(&G)',
    window: '窗口(&W)',
    help: '帮助(&H)',
    portraits: '肖像',
    library: '模型库',
    live: '实时',
    takes: '录制',
    activity: '活动',
    settings: '设置…',
    palette: '命令面板…',
    shortcuts: '键盘快捷键',
    quitWhileBusy: {
      message: '任务仍在进行，要退出吗？',
      stay: '继续工作',
      quit: '仍要退出',
      works: {
        heads: '正在根据照片生成头模。\n\n已完成的会保留，队列将在下次启动时继续。',
        take: '正在录制。\n\n录制将到此结束，并保留为录制。',
      },
    },
    pageCrashed: {
      message: '窗口已停止工作',
      detail: '已尝试重新加载，但再次停止。后台任务仍在继续。详细信息请见数据文件夹中的日志。',
      reload: '重新加载',
      quit: '退出',
    },
    unprotected: {
      message: 'Likeness Studio 启动时没有保护',
      detail:
        '沙箱已关闭。沙箱可防止有缺陷或恶意的图片、模型或服务器响应触及您的文件与密钥。目前尚未加载任何内容。\n\n' +
        '如果系统不允许程序自行建立沙箱，AppImage 就会这样启动。解决办法：\n' +
        '• 改为安装 .deb 软件包，它带有沙箱所需的一切；或\n' +
        '• 为该 AppImage 设置允许“userns”的 AppArmor 配置；或\n' +
        '• 如果您已将它解包：先执行 sudo chown root:root chrome-sandbox，再执行 sudo chmod 4755 chrome-sandbox。\n' +
        '如果是您自己设置了 --no-sandbox 或 ELECTRON_DISABLE_SANDBOX，请将其去掉。',
      quit: '退出',
      goOn: '在没有保护的情况下继续',
    },
  },
};
