export const probeMessages = {
  'term.group_address': {
    en: 'Group {group} address',
    zh: '{group} 组地址',
  },
  'term.download_link': {
    en: 'download link',
    zh: '下载链接',
  },
  'term.access_token': {
    en: 'Group A access token',
    zh: 'A 组访问令牌',
  },
  'term.api_key': {
    en: 'Group B API key',
    zh: 'B 组 API 密钥',
  },
  'operation.audio_to_face': {
    en: 'Audio to face',
    zh: '音频驱动面部',
  },
  'operation.submit_image': {
    en: 'Submit image',
    zh: '提交图像',
  },
  'operation.generate_model': {
    en: 'Generate model',
    zh: '生成头模',
  },
  'operation.get_model': {
    en: 'Get model',
    zh: '查询头模',
  },
  'operation.probe': {
    en: 'Test connection',
    zh: '测试连接',
  },
  'probe.generate_not_tried': {
    en: 'Not tried: it would order a model, which may be billed. It has the same host and key as “Query a head”.',
    zh: '未尝试：这会下单生成一个头模，可能产生费用。它与“查询头模”使用相同的主机和密钥。',
  },
  'probe.no_address': {
    en: 'No Group {group} address is set, so this is not used.',
    zh: '未设置 {group} 组地址，因此不使用。',
  },
  'probe.web_page': {
    en: '{host} answers with a web page (HTTP {status}).',
    zh: '{host} 返回了网页（HTTP {status}）。',
  },
  'probe.check_group_a': {
    en: 'Check the Group A address: a login page, a proxy or a portal may be in between.',
    zh: '请检查 A 组地址：可能有登录页、代理或门户页面挡在中间。',
  },
  'probe.nothing_here': {
    en: '{host} answers, but finds nothing at this address (HTTP 404). Some servers answer any unexpected request like this.',
    zh: '{host} 有应答，但表示此地址没有内容（HTTP 404）。有些服务器对任何意外的请求都这样回答。',
  },
  'probe.if_calls_fail': {
    en: 'If calls fail, check the Group A address and the path word of “{profileName}”.',
    zh: '如果调用失败，请检查 A 组地址与“{profileName}”的路径词。',
  },
  'probe.knows_address': {
    en: '{host} knows this address (HTTP 405: it accepts only POST, as it should). The first real call shows whether it accepts the {key}.',
    zh: '{host} 认识此地址（HTTP 405：只接受 POST，符合预期）。它是否接受{key}，要到第一次真正调用时才知道。',
  },
  'probe.answers': {
    en: '{host} answers (HTTP {status}) and did not refuse the {key}.',
    zh: '{host} 有应答（HTTP {status}），并且没有拒绝{key}。',
  },
  'probe.not_as_service': {
    en: '{host} answers, but not as the service does (HTTP {status}).',
    zh: '{host} 有应答，但与该服务的方式不符（HTTP {status}）。',
  },
  'probe.check_group_b': {
    en: 'Check the Group B address and the path word of “{profileName}”, and whether it wants the doubled slash.',
    zh: '请检查 B 组地址与“{profileName}”的路径词，以及是否需要双斜杠。',
  },
  'probe.check_key': {
    en: 'Check the {key} of “{profileName}”.',
    zh: '请检查“{profileName}”的{key}。',
  },
  'probe.refused_key': {
    en: '{host} refused the {key} (code {code}, {said, select, without_a_word {without a message} other {“{words}”}}).',
    zh: '{host} 拒绝了{key}（代码 {code}，{said, select, without_a_word {没有说明} other {“{words}”}}）。',
  },
  'probe.perhaps_key': {
    en: '{host} supports the interface; for a made-up model id it returned code {code}, {said, select, without_a_word {without a message} other {“{words}”}}. The key may be the cause.',
    zh: '{host} 支持该接口；对虚构的模型编号，它返回代码 {code}，{said, select, without_a_word {没有说明} other {“{words}”}}。这可能与密钥有关。',
  },
  'probe.fine': {
    en: '{host} supports the interface and did not refuse the {key}; for a made-up model id it returned code {code}, {said, select, without_a_word {without a message} other {“{words}”}}, as it should.',
    zh: '{host} 支持该接口，并且没有拒绝{key}；对虚构的模型编号，它返回代码 {code}，{said, select, without_a_word {没有说明} other {“{words}”}}，符合预期。',
  },
  'operation.delete_model': {
    en: 'Delete model',
    zh: '删除模型',
  },
  'operation.download': { en: 'Download', zh: '下载' },
} as const;
