export const connectionsMessages = {
  'connections.gone': {
    en: 'This connection does not exist (any more).',
    zh: '此连接已不存在。',
  },
  'connections.choose_another': {
    en: 'Choose another connection.',
    zh: '请选择其他连接。',
  },
  'connections.built_in_no_copy': {
    en: 'The built-in engine can’t be duplicated.',
    zh: '内置引擎不能复制。',
  },
  'connections.make_new': {
    en: 'Make a new connection instead.',
    zh: '请改为新建连接。',
  },
  'connections.built_in_stays': {
    en: 'The built-in engine can’t be deleted.',
    zh: '内置引擎不能删除。',
  },
  'connections.runs_when_used': {
    en: 'It runs only when it is used.',
    zh: '它只在使用时运行。',
  },
  'connections.name_taken_now': {
    en: 'The name was taken, so the connection is now “{name}”.',
    zh: '该名称已被使用：现改为“{name}”。',
  },
  'connections.own_keys': {
    en: 'The built-in engine creates its own keys.',
    zh: '内置引擎自行生成密钥。',
  },
  'connections.open_engine': {
    en: 'To use it from other programs, open it in Settings → Engine on this machine.',
    zh: '如需从其他程序使用它，请在“设置”→“本机引擎”中开放。',
  },
  'connections.from_environment': {
    en: 'This key comes from the environment variable {variable}.',
    zh: '此密钥来自环境变量 {variable}。',
  },
  'connections.change_there': {
    en: 'Change it there, or start the studio without it.',
    zh: '请在那里更改，或不带该变量启动工作室。',
  },
  'connections.too_many': {
    en: 'There can be at most {most} connections.',
    zh: '最多可有 {most} 个连接。',
  },
  'connections.delete_unused': {
    en: 'Delete some that are no longer used.',
    zh: '请删除一些不再使用的连接。',
  },
  'connections.too_much_text': {
    en: 'All connections together can have at most {millions} million characters; this one exceeds the limit.',
    zh: '所有连接合计最多 {millions} 百万个字符；加上这一个就会超出。',
  },
  'connections.remove_certificates': {
    en: 'Remove unused certificates, stream schemas or connections.',
    zh: '请移除不需要的证书与数据流格式，或不再使用的连接。',
  },
  'connections.name_taken': {
    en: 'A connection named “{name}” already exists.',
    zh: '已有名为“{name}”的连接。',
  },
  'connections.choose_name': {
    en: 'Choose another name.',
    zh: '请选择其他名称。',
  },
  'connections.list_damaged': {
    en: 'The list of connections was damaged.',
    zh: '连接列表已损坏。',
  },
  'connections.key_was_for': {
    en: '{key, select, key_of {The key of “{profileName}”} other {{key}}} was entered for {place}; “{profileName}” now connects to {nowPlace}.{certificates, select, other_authorities { The certificate authorities are not the same.} other {}}',
    zh: '{key, select, key_of {“{profileName}”的密钥} other {{key}}}是为 {place} 填写的；“{profileName}”现在指向 {nowPlace}。{certificates, select, other_authorities {证书颁发机构不相同。} other {}}',
  },
  'connections.key_not_bound': {
    en: '{key, select, key_of {The key of “{profileName}”} other {{key}}} is not bound to a server yet, and “{profileName}” now connects to {place} because of a change made in the page.',
    zh: '{key, select, key_of {“{profileName}”的密钥} other {{key}}}尚未绑定到任何服务器，而“{profileName}”现在指向 {place}，这是在页面中更改的。',
  },
  'connections.not_sent': {
    en: 'It was not sent. If you changed the connection yourself, choose “Use here too” in Settings → Connections, run “likeness connections bind "{profileName}"”, or {otherwise, select, name_server {set the server in {urlVariable}} other {type the key again}}.',
    zh: '密钥没有发送。如果连接是您自己更改的，请在“设置”→“连接”中选择“在此处也使用”，运行“likeness connections bind "{profileName}"”，或{otherwise, select, name_server {在其旁边用 {urlVariable} 指明服务器} other {重新输入密钥}}。',
  },
  'connections.key_too_long': {
    en: 'This is too long for a key: the limit is {most} characters.',
    zh: '这超过了此类密钥可能的长度：{most} 个字符。',
  },
  'connections.copy_again': {
    en: 'Copy only the key again from your provider’s page.',
    zh: '请从提供方显示密钥的地方单独重新复制。',
  },
  'connections.too_many_lines': {
    en: 'This private key has too many lines.',
    zh: '此私钥的行数过多。',
  },
  'connections.write_anew': {
    en: 'Convert it, for example with “openssl pkey”.',
    zh: '请重新写出，例如使用“openssl pkey”。',
  },
  'connections.encrypted': {
    en: 'This private key is encrypted.',
    zh: '此私钥已加密。',
  },
  'connections.decrypt': {
    en: 'Decrypt it first, for example with “openssl pkey”.',
    zh: '请先解密，例如使用“openssl pkey”。',
  },
  'connections.no_private_key': {
    en: 'This is not a private key in PEM form.',
    zh: '这不是 PEM 格式的私钥。',
  },
  'connections.begin_private_key': {
    en: 'Choose a file that begins with -----BEGIN PRIVATE KEY-----.',
    zh: '请选择以 -----BEGIN PRIVATE KEY----- 开头的文件。',
  },
  'connections.no_line_breaks': {
    en: 'A password has no line breaks.',
    zh: '密码不能含有换行。',
  },
  'connections.type_it_again': {
    en: 'Type it again.',
    zh: '请重新输入。',
  },
  'connections.latin_only': {
    en: 'A key has only Latin letters, digits and symbols, without spaces.',
    zh: '密钥只含拉丁字母、数字和符号，不含空格。',
  },
  'connections.does_not_fit': {
    en: 'This is not valid: {issue, select, something_else {it has an unexpected form} other {{issue}}}.',
    zh: '内容不符合要求：{issue, select, something_else {应为其他内容} other {{issue}}}。',
  },
  'connections.built_in_field': {
    en: '“{field}” of the built-in engine can’t be changed.',
    zh: '内置引擎的“{field}”不能更改。',
  },
  'connections.own_connection': {
    en: 'Create a separate connection for another server.',
    zh: '请为其他服务器新建连接。',
  },
  'connections.default_taken': {
    en: '{problem} The default is used.',
    zh: '{problem}已采用默认值。',
  },
  'connections.no_group': {
    en: 'This is not a group of fields.',
    zh: '这不是一组字段。',
  },
  'connections.not_fit_default': {
    en: 'This is not valid ({expected, select, something_else_briefly {something else} other {{expected}}}). The default is used.',
    zh: '内容不符合要求（{expected, select, something_else_briefly {应为其他内容} other {{expected}}}）。已采用默认值。',
  },
  'connections.keys_never_imported': {
    en: 'The studio never imports keys, so it skipped this one. Enter it in Settings.',
    zh: '密钥从不导入：已略去。请在设置中填写。',
  },
  'connections.field_unknown': {
    en: 'This studio does not know the field and skipped it.',
    zh: '此工作室不认识该字段；已略去。',
  },
  'draft.no_address': {
    en: 'This is not an address.',
    zh: '这不是地址。',
  },
  'draft.like_this': {
    en: 'Write it like https://api.example.com.',
    zh: '请写成 https://api.example.com 的形式。',
  },
  'draft.user_in_address': {
    en: 'The address has a user name or password in it.',
    zh: '地址中含有用户名或密码。',
  },
  'draft.keys_own_fields': {
    en: 'Enter keys in the fields for keys.',
    zh: '请在专用的字段中填写密钥。',
  },
  'draft.query_in_address': {
    en: 'The address contains ? or #.',
    zh: '地址中含有 ? 或 # 之后的部分。',
  },
  'draft.address_only': {
    en: 'Enter the address only; keys have their own fields.',
    zh: '请只填写地址；密钥有专用的字段。',
  },
  'draft.proxy_path': {
    en: 'The address of a proxy has no path.',
    zh: '代理的地址不带路径。',
  },
  'draft.proxy_like_this': {
    en: 'Write it like http://proxy.example.com:8080.',
    zh: '请写成 http://proxy.example.com:8080 的形式。',
  },
  'draft.pause_shorter': {
    en: 'The longest interval is shorter than the first.',
    zh: '最长间隔短于首次间隔。',
  },
  'draft.pause_longer': {
    en: 'Make it at least as long as the first.',
    zh: '请使其不短于首次间隔。',
  },
  'draft.holds_private_key': {
    en: 'This contains a private key.',
    zh: '其中含有私钥。',
  },
  'draft.certificates_only': {
    en: 'Put only certificates here; the key goes in “Client private key”.',
    zh: '此处只放证书；私钥请填入“客户端私钥”。',
  },
  'draft.no_certificate': {
    en: 'This is not a certificate in PEM form.',
    zh: '这不是 PEM 格式的证书。',
  },
  'draft.begin_certificate': {
    en: 'Choose a file that begins with -----BEGIN CERTIFICATE-----.',
    zh: '请选择以 -----BEGIN CERTIFICATE----- 开头的文件。',
  },
  'draft.schema_only': {
    en: 'Put only the schema of the stream here.',
    zh: '此处只放数据流的格式。',
  },
  'connections.no_address': { en: 'no address', zh: '无地址' },
  'connections.through': { en: '{place} through {proxy}', zh: '{place}（经 {proxy}）' },
  'connections.with_authorities': {
    en: '{place} with custom certificate authorities',
    zh: '{place}（使用自己的证书颁发机构）',
  },
} as const;
