export const updatesMessages = {
  'updates.looking_stopped': {
    en: 'The check for a new version was stopped.',
    zh: '已停止查找新版本。',
  },
  'updates.no_answer': {
    en: 'No answer from {host} could be read: {reason}.',
    zh: '无法读取 {host} 的应答：{reason}。',
  },
  'updates.look_later_rest_works': {
    en: 'Check again later; everything else works without it.',
    zh: '请稍后再查找；其他功能不受影响。',
  },
  'updates.nothing_for_system': {
    en: 'The update address has nothing for this system (HTTP 404).',
    zh: '更新地址没有适用于此系统的版本（HTTP 404）。',
  },
  'updates.look_where_got': {
    en: 'Check again later, or look on the page where you got the studio.',
    zh: '请稍后再查找，或到您获取工作室的页面查看。',
  },
  'updates.http': {
    en: 'The update address answered with HTTP {status}.',
    zh: '更新地址返回 HTTP {status}。',
  },
  'updates.look_later': {
    en: 'Check again later.',
    zh: '请稍后再查找。',
  },
  'updates.no_answer_within': {
    en: 'The update address did not answer within {patience} seconds.',
    zh: '更新地址未在 {patience} 秒内应答。',
  },
  'updates.something_else': {
    en: 'The update address sent an unexpected answer: {what}.',
    zh: '更新地址发送了其他内容：{what}。',
  },
  'updates.nothing_downloaded': {
    en: 'Nothing was downloaded. Check again later.',
    zh: '没有下载任何内容。请稍后再查找。',
  },
  'updates.not_signed': {
    en: 'The announced update is not signed by the studio’s makers.',
    zh: '更新地址公布的内容没有工作室制作者的签名。',
  },
  'updates.tell_makers': {
    en: 'Nothing was downloaded. Get new versions from where you got the studio, and tell its makers.',
    zh: '没有下载任何内容。请从您获取工作室的地方获取新版本，并告知其制作者。',
  },
  'updates.download_stopped': {
    en: 'The download was stopped.',
    zh: '已停止下载。',
  },
  'updates.stood_still': {
    en: 'The download received nothing for {silence} seconds.',
    zh: '下载停滞了 {silence} 秒。',
  },
  'updates.download_later': {
    en: 'Download it again later.',
    zh: '请稍后重新下载。',
  },
  'updates.other_file': {
    en: 'The downloaded file is not the announced one.',
    zh: '下载的文件与公布的不符。',
  },
  'updates.not_installed': {
    en: 'It is not installed. Download it again later.',
    zh: '不会安装它。请稍后重新下载。',
  },
  'updates.installer_not_signed': {
    en: 'The installer is not signed by the studio’s makers.',
    zh: '安装程序没有工作室制作者的签名。',
  },
  'updates.not_installed_tell': {
    en: 'It is not installed. Get new versions from where you got the studio, and tell its makers.',
    zh: '不会安装它。请从您获取工作室的地方获取新版本，并告知其制作者。',
  },
  'updates.not_downloaded': {
    en: 'The new version could not be downloaded: {message}.',
    zh: '无法下载新版本：{message}。',
  },
  'updates.not_in_this_build': {
    en: 'This build of the studio can’t check for new versions.',
    zh: '此版本的工作室无法查找新版本。',
  },
  'updates.get_where_got': {
    en: 'Get new versions from where you got the studio.',
    zh: '请从您获取工作室的地方获取新版本。',
  },
  'updates.none_to_download': {
    en: 'There is no new version to download.',
    zh: '没有可下载的新版本。',
  },
  'updates.look_first': {
    en: 'Check for one first.',
    zh: '请先查找。',
  },
  'updates.nothing_ready': {
    en: 'There is nothing to install.',
    zh: '没有可安装的内容。',
  },
  'updates.download_first': {
    en: 'Download it first.',
    zh: '请先下载。',
  },
  'updates.work_under_way': {
    en: 'An installation would interrupt running work.',
    zh: '正在进行的工作会被安装打断。',
  },
  'updates.wait_or_stop': {
    en: 'Wait until it is done, or stop it.',
    zh: '请等待其完成，或将其停止。',
  },
  'updates.defect': {
    en: 'The check for a new version failed because of an error in the studio.',
    zh: '由于工作室的故障，查找新版本失败。',
  },
  'updates.log': {
    en: 'The log has the details.',
    zh: '详情见日志。',
  },
} as const;
