import type { Settings } from '#contract';

export type Language = Settings['language'];

/** What the desktop shell itself says: its menu and its dialogs. The page has its own words. */
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
    detail: (work: string) => string;
    stay: string;
    quit: string;
    /** What `Studio.busy()` calls it, in words. */
    works: Record<string, string>;
  };
  pageCrashed: { message: string; detail: string; reload: string; quit: string };
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
      detail: (work) => `${work}\n\nFinished results are kept. What is under way goes on at the next start.`,
      stay: 'Keep working',
      quit: 'Quit anyway',
      works: { heads: 'Heads are being made from photos.' },
    },
    pageCrashed: {
      message: 'The window stopped working',
      detail:
        'It was reloaded and stopped again. Work in the background goes on. The log in the data folder has the details.',
      reload: 'Reload',
      quit: 'Quit',
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
    takes: '录制片段',
    activity: '活动',
    settings: '设置…',
    palette: '命令面板…',
    shortcuts: '键盘快捷键',
    quitWhileBusy: {
      message: '任务仍在进行，要退出吗？',
      detail: (work) => `${work}\n\n已完成的结果会保留，未完成的任务将在下次启动时继续。`,
      stay: '继续工作',
      quit: '仍要退出',
      works: { heads: '正在根据照片生成头模。' },
    },
    pageCrashed: {
      message: '窗口已停止工作',
      detail: '已尝试重新加载，但再次停止。后台任务仍在继续。详细信息请见数据文件夹中的日志。',
      reload: '重新加载',
      quit: '退出',
    },
  },
};
