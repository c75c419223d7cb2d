export const serviceMessages = {
  'service.keys_unreadable': {
    en: 'The file of keys {file} can’t be read (at {where}).',
    zh: '无法读取密钥文件 {file}（位置：{where}）。',
  },
  'service.keys_restore': {
    en: 'Restore it from a backup. A running service continues with the keys that it has read.',
    zh: '请恢复其备份。正在运行的服务会继续使用已知的密钥。',
  },
  'service.key_name_taken': {
    en: 'A key named “{name}” already exists.',
    zh: '已有名为“{name}”的密钥。',
  },
  'service.key_other_name': {
    en: 'Choose another name, revoke that key first, or give it a new secret: likeness service keys rotate.',
    zh: '请选择其他名称，先吊销该密钥，或为其更换密钥：likeness service keys rotate。',
  },
  'service.no_key': {
    en: 'There is no valid key “{name}”.',
    zh: '没有有效的密钥“{name}”。',
  },
  'service.list_keys': {
    en: 'Run “likeness service keys list” to see them all.',
    zh: '请运行“likeness service keys list”查看全部密钥。',
  },
  'service.not_an_address': {
    en: '“{host}” is not an address of this machine.',
    zh: '“{host}”不是本机的地址。',
  },
  'service.name_address': {
    en: 'Use an IP address such as 127.0.0.1 or 0.0.0.0; pass the host name with --name.',
    zh: '请指定 IP 地址，例如 127.0.0.1 或 0.0.0.0；访问所用的名称请用 --name 指定。',
  },
  'service.needs_tls': {
    en: 'Others can reach the service on {host}, and keys and photos would cross the network unencrypted.',
    zh: '在 {host} 上其他人可以访问此服务，密钥和照片会未加密地通过网络传输。',
  },
  'service.give_certificate': {
    en: 'Use --tls-cert and --tls-key, or --insecure-http if a proxy in front does TLS.',
    zh: '请指定 --tls-cert 和 --tls-key；若前面的代理负责 TLS，请加上 --insecure-http。',
  },
  'service.no_certificate': {
    en: 'The file {file} can’t be read.',
    zh: '无法读取文件 {file}。',
  },
  'service.check_certificate': {
    en: 'Check that it exists and that this user may read it.',
    zh: '请检查该文件是否存在，以及当前用户是否有权读取。',
  },
  'service.not_a_proxy': {
    en: '“{proxy}” is not an address or a range of addresses.',
    zh: '“{proxy}”不是地址或地址范围。',
  },
  'service.name_proxy': {
    en: 'Use for example 10.0.0.7, 10.0.0.0/8 or fd00::/8.',
    zh: '例如 10.0.0.7、10.0.0.0/8 或 fd00::/8。',
  },
  'service.audit_loss': {
    en: 'The audit log in {folder} was altered. {detail}',
    zh: '{folder} 中的审计日志与写入时不一致。{detail}',
  },
  'service.accept_loss': {
    en: 'Restore a backup of the folder, or continue without these entries: likeness service audit accept-loss.',
    zh: '请恢复该文件夹的备份，或放弃这些条目继续运行：likeness service audit accept-loss。',
  },
  'service.no_loss': { en: 'The audit log has no loss to accept.', zh: '审计日志没有待接受的缺失。' },
  'service.backed_up': {
    en: 'The service was backed up to {folder}.',
    zh: '服务已备份到 {folder}。',
  },
  'service.loss_accepted': {
    en: 'Accepted, with an entry in the audit log: {detail}',
    zh: '已接受，并已在审计日志中记录：{detail}',
  },
  'service.runs_already': {
    en: 'A service already runs on {folder}.',
    zh: '{folder} 上已有服务在运行。',
  },
  'service.other_folder': {
    en: 'Stop it first, or choose another folder for this one: --folder.',
    zh: '请先停止它，或用 --folder 指定另一个文件夹。',
  },
  'service.listening': {
    en: 'The service listens on {address}.',
    zh: '服务正在 {address} 上监听。',
  },
  'service.first_key': {
    en: 'It has no keys yet, so it refuses every call. Create the first one in another terminal:',
    zh: '尚无密钥，因此不响应任何人。请在另一个终端创建第一个密钥：',
  },
  'service.draining': {
    en: 'Stopping: running calls have {seconds} s to finish.',
    zh: '正在停止：进行中的请求有 {seconds} 秒结束。',
  },
  'service.own_process': {
    en: 'A service needs its own process; it can’t run in the open studio. Close the studio first.',
    zh: '服务须在独立的进程中运行，不能在已打开的工作室中运行。请先关闭工作室。',
  },
  'service.webhook_to_wrong': {
    en: '“{entry}” is not a valid webhook target: use a host name, an address, or a range such as 10.1.0.0/16.',
    zh: 'webhook 不能发往“{entry}”：请指定主机名、地址或网段，例如 10.1.0.0/16。',
  },
  'service.webhook_key_wrong': {
    en: '{file} must contain 32 bytes as base64, for example from “openssl rand -base64 32”.',
    zh: '{file} 须包含 base64 编码的 32 个字节，例如由“openssl rand -base64 32”生成。',
  },
  'service.both_tls_files': {
    en: 'TLS needs both --tls-cert and --tls-key.',
    zh: 'TLS 需要同时指定 --tls-cert 和 --tls-key。',
  },
  'service.port_in_use': {
    en: 'Port {port} of {host} is in use. Choose another: --port.',
    zh: '{host} 的端口 {port} 已被占用。请用 --port 选择其他端口。',
  },
  'service.port_forbidden': {
    en: 'This user may not open port {port}. Choose one above 1023: --port.',
    zh: '当前用户无权打开端口 {port}。请用 --port 选择 1023 以上的端口。',
  },
  'service.no_keys': {
    en: 'There is no key yet: likeness service keys add <name>.',
    zh: '尚无密钥：likeness service keys add <name>。',
  },
  'service.shown_once': {
    en: 'The key “{name}”. It is shown only once; the service keeps only its hash. A running service accepts it within a second.',
    zh: '密钥“{name}”。仅显示这一次；服务只保存其哈希值。运行中的服务会在一秒内识别它。',
  },
  'service.revoked': {
    en: 'The key “{name}” is revoked. A running service refuses it within a second.',
    zh: '密钥“{name}”已失效：运行中的服务会在一秒内生效。',
  },
  'service.usage': {
    en: '{name}: {calls} {calls, plural, one {call} other {calls}}, {seconds} s of audio, {frames} {frames, plural, one {frame} other {frames}}, {models} {models, plural, one {model} other {models}}',
    zh: '{name}：{calls} 次调用，{seconds} 秒音频，{frames} 帧，{models} 个模型',
  },
  'service.queue_and_store': {
    en: 'To share work between machines, use both --queue redis://… and --store <folder or s3://bucket>.',
    zh: '多台机器共享工作需要同时指定 --queue redis://… 和 --store <文件夹或 s3://bucket>。',
  },
  'service.no_shared_clients': {
    en: 'The desktop app serves from one machine only: it comes without the clients of Redis and S3. Install the service from its source ("npm ci && npm run build") to use --queue and --store, as docs/service.md says.',
    zh: '桌面应用只能单机提供服务：其中不含 Redis 与 S3 的客户端。要使用 --queue 和 --store，请按 docs/service.md 从源码安装服务（"npm ci && npm run build"）。',
  },
  'service.shared_unreachable': {
    en: 'The queue or the store can’t be used: {reason}.',
    zh: '无法使用队列或存储：{reason}。',
  },
  'service.no_service': {
    en: 'No service has run on {folder} yet.',
    zh: '{folder} 上尚未运行过服务。',
  },
  'service.name_folder': {
    en: 'Set its folder: --folder.',
    zh: '请用 --folder 指定其文件夹。',
  },
} as const;
