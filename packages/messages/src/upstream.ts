export const upstreamMessages = {
  'upstream.schema_unusable': {
    en: "Audio to face: The stream schema of “{profileName}” can't be used. {problem}",
    zh: '音频驱动面部：无法使用“{profileName}”的数据流格式。{problem}',
  },
  'upstream.correct_schema': {
    en: 'Correct the .proto or its mapping in Settings → Connections.',
    zh: '请在“设置”→“连接”中更正 .proto 或其映射。',
  },
  'upstream.check_audio': {
    en: 'Check the audio before you send it again.',
    zh: '重新发送之前，请先检查音频。',
  },
  'upstream.frames_read': { en: 'The frames before that were read.', zh: '此前的帧已读取。' },
  'upstream.seconds_perhaps_billed': {
    en: 'The seconds sent may be billed.',
    zh: '已发送的秒数可能会计费。',
  },
  'upstream.rest_not_wanted': {
    en: 'Audio to face: The rest was not needed.',
    zh: '音频驱动面部：其余部分已不再需要。',
  },
  'upstream.no_audio': {
    en: 'There is no audio.',
    zh: '没有音频。',
  },
  'upstream.record_some': {
    en: 'Record or choose an audio file.',
    zh: '请录制或选择一段音频。',
  },
  'upstream.audio_too_large': {
    en: 'The audio is larger than 1 GB.',
    zh: '音频大于 1 GB。',
  },
  'upstream.send_in_parts': {
    en: 'Send it in parts.',
    zh: '请分段发送。',
  },
  'upstream.audio_length_unknown': {
    en: "The audio's length is not known.",
    zh: '无法得知音频的长度。',
  },
  'upstream.whole_wav': {
    en: 'Check that the file is a complete WAV file.',
    zh: '请检查文件是否为完整的 WAV 文件。',
  },
  'upstream.no_key': {
    en: 'The connection “{profileName}” has no {name}.',
    zh: '连接“{profileName}”没有 {name}。',
  },
  'upstream.enter_key': {
    en: 'Enter the {name} in Settings → Connections.',
    zh: '请在“设置”→“连接”中填写 {name}。',
  },
  'upstream.key_bad_character': {
    en: 'The {name} of “{profileName}” contains an invalid character, such as a line break.',
    zh: '“{profileName}”的{name}含有密钥中不可能出现的字符，例如换行。',
  },
  'upstream.enter_key_again': {
    en: 'Enter the {name} again in Settings → Connections.',
    zh: '请在“设置”→“连接”中重新填写 {name}。',
  },
  'upstream.no_idempotency': {
    en: 'Generate model: The server no longer accepts idempotency keys.',
    zh: '生成模型：服务器已不再接受幂等标识。',
  },
  'upstream.only_front_went': {
    en: 'This server accepts one photo per person: the front one was sent, {count} more {count, plural, one {was} other {were}} not.',
    zh: '此服务器每人只接受一张照片：已发送正面照，另外 {count} 张未发送。',
  },
  'upstream.nothing_sent_anew': {
    en: 'Nothing was sent; the studio checks again.',
    zh: '没有发送任何内容；将重新判断。',
  },
  'upstream.downloading_already': {
    en: 'Download: “{file}” is already being downloaded.',
    zh: '下载：“{file}”正在下载中。',
  },
  'upstream.wait_until_there': {
    en: 'Wait until it is complete.',
    zh: '请等待其下载完成。',
  },
  'upstream.file_changed': {
    en: 'Download: The file at {host} changed during the download (HTTP {status}).',
    zh: '下载：{host} 上的文件在获取过程中发生了变化（HTTP {status}）。',
  },
  'upstream.unlikely_large': {
    en: 'A head this large is unlikely: check the model on the server.',
    zh: '这么大的头模不太可能：请在服务器上检查该模型。',
  },
  'upstream.fetched_again': {
    en: 'Download it again: it starts from the beginning.',
    zh: '请重新获取：将从头开始。',
  },
  'upstream.no_model_id': {
    en: "“{modelId}” can't be a model id.",
    zh: '“{modelId}”不可能是模型编号。',
  },
  'upstream.use_given_id': {
    en: 'Use the id that the server returned when it generated the model.',
    zh: '请使用生成模型时服务器给出的编号。',
  },
  'upstream.no_address': {
    en: 'The connection “{profileName}” has no Group {label} address.',
    zh: '连接“{profileName}”没有 {label} 组地址。',
  },
  'upstream.enter_address': {
    en: 'Enter the Group {label} base address in Settings → Connections.',
    zh: '请在“设置”→“连接”中填写 {label} 组基础地址。',
  },
  'upstream.not_plain_address': {
    en: 'The Group {label} address of “{profileName}” is not a plain http:// or https:// address.',
    zh: '“{profileName}”的 {label} 组地址不是普通的 http:// 或 https:// 地址。',
  },
  'upstream.address_only': {
    en: 'Enter the address only, without anything after a ? or #.',
    zh: '请只填写地址，不要带 ? 或 # 之后的内容。',
  },
  'upstream.check_before_repeating': {
    en: 'The server may have received it and may bill it: check your account there before you send it again.',
    zh: '服务器可能已收到，并可能计费：重新发送之前，请先在该服务器的账户中查看。',
  },
  'upstream.too_large': {
    en: '{host} sent too large an answer for this call; the studio stopped after {bytes}.',
    zh: '{host} 的应答远大于此调用应有的大小；已在 {bytes} 后中止。',
  },
  'upstream.check_leads_to_service': {
    en: 'Check that the {addressName} leads to the service.',
    zh: '请检查{addressName}是否指向该服务。',
  },
  'upstream.no_connection_within': {
    en: 'No connection to {host} within {time}.',
    zh: '{time} 内未能连接到 {host}。',
  },
  'upstream.not_done_within': {
    en: '{host} did not finish within {time}; {came, select, bytes_came {{bytes} of its answer came} other {no answer came}}.',
    zh: '{host} 未在 {time} 内完成；{came, select, bytes_came {应答已收到 {bytes}} other {没有收到应答}}。',
  },
  'upstream.upload_stuck': {
    en: '{host} stopped accepting the upload: no progress for {time}.',
    zh: '{host} 停止接收上传：{time} 内没有任何进展。',
  },
  'upstream.no_first_byte': {
    en: 'The request was sent, but {host} did not begin to answer within {time}.',
    zh: '请求已发送，但 {host} 未在 {time} 内开始应答。',
  },
  'upstream.body_stuck': {
    en: '{host} stopped in the middle of its answer: nothing for {time} after {bytes}.',
    zh: '{host} 在应答中途停止：收到 {bytes} 后，{time} 内没有任何内容。',
  },
  'upstream.check_network_address_proxy': {
    en: 'Check the network, the address and the proxy, then try again.',
    zh: '请检查网络、地址与代理，然后重试。',
  },
  'upstream.slow_or_stuck': {
    en: 'The server or the network is slow or stuck. Try again later.',
    zh: '服务器或网络缓慢或停滞。请稍后重试。',
  },
  'upstream.through_proxy': {
    en: '{host} through the proxy {proxyHost}',
    zh: '{host}（经代理 {proxyHost}）',
  },
  'upstream.closed_by_studio': {
    en: 'The connection was closed by the studio.',
    zh: '连接已由工作室关闭。',
  },
  'upstream.certificate_fault': {
    en: "{host} can't prove who it is: its certificate {fault, select, expired {has expired} not_yet_valid {is not valid yet} self_signed {is self-signed} unknown_authority {comes from an authority that this computer does not know} false_signature {has an invalid signature} revoked {was revoked} invalid_authority {comes from an authority that may not issue it} wrong_purpose {is not meant for a server} other {is not trusted}} ({code}).",
    zh: '{host} 无法证明其身份：其证书{fault, select, expired {已过期} not_yet_valid {尚未生效} self_signed {仅由其自身签名} unknown_authority {来自这台计算机不认识的颁发机构} false_signature {签名不正确} revoked {已被吊销} invalid_authority {来自无权颁发它的机构} wrong_purpose {不是用于服务器的} other {不受信任}}（{code}）。',
  },
  'upstream.check_clock': {
    en: "Check this computer's clock; if it is right, the server's operator must renew the certificate.",
    zh: '请检查这台计算机的时钟；如果时钟正确，则须由服务器的运营者更新证书。',
  },
  'upstream.add_ca': {
    en: "If it is your organisation's own server, add its CA certificate to the connection. Otherwise don't use it.",
    zh: '如果这是您所在机构自己的服务器，请将其 CA 证书添加到连接中；否则请勿使用。',
  },
  'upstream.other_name': {
    en: '{host} shows a certificate for another name ({code}).',
    zh: '{host} 出示的证书属于另一个名称（{code}）。',
  },
  'upstream.check_host_name': {
    en: 'Check the host name in the {addressName}.',
    zh: '请检查{addressName}中的主机名。',
  },
  'upstream.refused_tls': {
    en: '{host} refused the encrypted connection ({code}).',
    zh: '{host} 拒绝了加密连接（{code}）。',
  },
  'upstream.client_certificate_wanted': {
    en: "It may require a client certificate, or a different one: see the connection's client certificate and key.",
    zh: '它可能需要客户端证书，或另一份证书：请查看连接的客户端证书与私钥。',
  },
  'upstream.not_tls': {
    en: '{host} does not speak TLS as expected ({code}).',
    zh: '{host} 没有按预期使用 TLS（{code}）。',
  },
  'upstream.write_http': {
    en: 'If the server is without encryption, write http:// instead of https:// in the {addressName}.',
    zh: '如果服务器不加密，请在{addressName}中用 http:// 代替 https://。',
  },
  'upstream.nothing_answers': {
    en: 'Nothing answers at {host} (connection refused).',
    zh: '{host} 没有应答（连接被拒绝）。',
  },
  'upstream.check_server_runs': {
    en: 'Check that the server runs and that the {addressName} has the right host and port.',
    zh: '请检查服务器是否在运行，以及{addressName}的主机与端口是否正确。',
  },
  'upstream.name_unknown': {
    en: 'The name {host} could not be looked up ({code}).',
    zh: '无法解析主机名 {host}（{code}）。',
  },
  'upstream.check_spelling': {
    en: 'Check the network, and the spelling of the {addressName}.',
    zh: '请检查网络，以及{addressName}的拼写。',
  },
  'upstream.no_way': {
    en: 'There is no route to {host} ({code}).',
    zh: '从此处无法到达 {host}（{code}）。',
  },
  'upstream.check_network_vpn': {
    en: 'Check the network connection and the VPN.',
    zh: '请检查网络连接与 VPN。',
  },
  'upstream.no_connection_in_time': {
    en: 'No connection to {where} in time.',
    zh: '未能及时连接到 {where}。',
  },
  'upstream.not_http': {
    en: '{host} answers with something that is not HTTP.',
    zh: '{host} 的应答不是 HTTP。',
  },
  'upstream.check_scheme': {
    en: 'Check scheme, host and port in the {addressName}.',
    zh: '请检查{addressName}的协议、主机与端口。',
  },
  'upstream.closed_during_upload': {
    en: '{host} closed the connection during the upload{fault, select, in_brackets { ({code})} other {}}.',
    zh: '{host} 在上传过程中关闭了连接{fault, select, in_brackets {（{code}）} other {}}。',
  },
  'upstream.try_again_same_place': {
    en: 'Try again; if it fails at the same position, the file may be too large for the server.',
    zh: '请重试；如果总在同一处中断，文件可能超过了服务器允许的大小。',
  },
  'upstream.answer_broke_off': {
    en: 'The answer of {host} ended early after {bytes}.',
    zh: '{host} 的应答在 {bytes} 之后中断。',
  },
  'upstream.closed_early': {
    en: 'The server or something in between closed the connection early. Try again.',
    zh: '服务器或途中的某处过早关闭了连接。请重试。',
  },
  'upstream.broke_before_answer': {
    en: 'The connection to {where} broke before an answer came{fault, select, in_brackets { ({code})} other {}}.',
    zh: '与 {where} 的连接在收到应答之前中断{fault, select, in_brackets {（{code}）} other {}}。',
  },
  'upstream.try_again_check': {
    en: 'Try again; if it happens again, check the network and the server.',
    zh: '请重试；如果持续发生，请检查网络与服务器。',
  },
  'upstream.check_proxy': {
    en: "Check the proxy's address, user and password in the connection “{profileName}”.",
    zh: '请检查连接“{profileName}”中代理的地址、用户与密码。',
  },
  'upstream.proxy_password': {
    en: 'The proxy {proxyHost} refused the user or password (HTTP 407).',
    zh: '代理 {proxyHost} 需要其他用户名或密码（HTTP 407）。',
  },
  'upstream.proxy_refused': {
    en: 'The proxy {proxyHost} refused the connection (HTTP {status}).',
    zh: '代理 {proxyHost} 不肯建立连接（HTTP {status}）。',
  },
  'upstream.proxy_may_not': {
    en: "The proxy's operator may not allow this server, or the server can't be reached from there.",
    zh: '代理的运营者可能不允许访问此服务器，或从那里无法到达此服务器。',
  },
  'upstream.proxy_unreachable': {
    en: "The proxy {proxyHost} can't be reached ({code}).",
    zh: '无法连接到代理 {proxyHost}（{code}）。',
  },
  'upstream.private_link': {
    en: "The server gave a link to {where}, which is inside a private network and not the server's own.",
    zh: '服务器给出的链接指向 {where}，它位于私有网络内，且不属于该服务器。',
  },
  'upstream.links_not_followed': {
    en: "The studio does not follow such links. Tell the server's operator.",
    zh: '工作室不会打开这类链接。请告知服务器的运营者。',
  },
  'upstream.sends_on': {
    en: '{host} redirects to {place, select, another_address {another address} other {{place}}} ({http}).',
    zh: '{host} 要求转到{place, select, another_address {其他地址} other { {place}}}（{http}）。',
  },
  'upstream.keys_stay': {
    en: 'The studio never sends keys to another address without your consent. If it is right, make it the {addressName} of “{profileName}”.',
    zh: '密钥不会擅自发送到其他地址。如果该地址正确，请将其设为“{profileName}”的{addressName}。',
  },
  'upstream.refused_access': {
    en: '{host} refused access ({http}).',
    zh: '{host} 拒绝访问（{http}）。',
  },
  'upstream.refused_key': {
    en: '{host} refused the {keyName} ({http}).',
    zh: '{host} 拒绝了{keyName}（{http}）。',
  },
  'upstream.link_expired': {
    en: 'The link may have expired: get the model again.',
    zh: '链接可能已过期：请重新获取模型。',
  },
  'upstream.check_key_why': {
    en: 'Check the {keyName} of “{profileName}” in Settings → Connections; it may be wrong, expired, or not allowed to do this.',
    zh: '请在“设置”→“连接”中检查“{profileName}”的{keyName}；它可能有误、已过期，或无权执行此操作。',
  },
  'upstream.wants_payment': {
    en: '{host} requires payment first ({http}).',
    zh: '{host} 要求先付款（{http}）。',
  },
  'upstream.check_balance': {
    en: 'Check the balance of your account there.',
    zh: '请检查您在该服务器的账户余额。',
  },
  'upstream.has_not': {
    en: '{host} does not have it ({http}).',
    zh: '{host} 没有所请求的内容（{http}）。',
  },
  'upstream.deleted_or_other': {
    en: 'It may have been deleted there, or belong to another account.',
    zh: '它可能已在服务器上被删除，或属于其他账户。',
  },
  'upstream.no_such_address': {
    en: '{host} has no such address ({http}).',
    zh: '{host} 没有此地址（{http}）。',
  },
  'upstream.check_address_path': {
    en: 'Check the {addressName} and the path word of “{profileName}”.',
    zh: '请检查“{profileName}”的{addressName}与路径词。',
  },
  'upstream.not_offered': {
    en: '{host} does not offer this at this address ({http}).',
    zh: '{host} 在此地址不提供该功能（{http}）。',
  },
  'upstream.request_timeout': {
    en: '{host} gave up waiting for the request ({http}).',
    zh: '{host} 等待请求超时（{http}）。',
  },
  'upstream.upload_slow': {
    en: 'The upload may be too slow for the server. Try again.',
    zh: '上传对服务器而言可能太慢。请重试。',
  },
  'upstream.sent_too_large': {
    en: 'The upload is too large for {host} ({http}).',
    zh: '发送的内容对 {host} 而言太大（{http}）。',
  },
  'upstream.shorter_audio': {
    en: 'Send shorter audio.',
    zh: '请发送更短的音频。',
  },
  'upstream.smaller_photo': {
    en: 'Use a smaller photo: fewer pixels or stronger compression.',
    zh: '请使用更小的照片：减少像素或提高压缩率。',
  },
  'upstream.kind_not_taken': {
    en: '{host} does not accept this kind of file ({http}).',
    zh: '{host} 不接受此类文件（{http}）。',
  },
  'upstream.other_audio_format': {
    en: 'Use another audio format.',
    zh: '请使用其他音频格式。',
  },
  'upstream.jpeg_or_png': {
    en: 'Use a JPEG or PNG photo.',
    zh: '请使用 JPEG 或 PNG 照片。',
  },
  'upstream.slow_down': {
    en: '{host} asks us to slow down ({http}).',
    zh: '{host} 要求降低请求频率（{http}）。',
  },
  'upstream.wait_lower_rate': {
    en: '{wait} If it happens often, lower “Requests per minute” or “Requests at once” of “{profileName}”.',
    zh: '{wait}如果经常发生，请降低“{profileName}”的“每分钟请求数”或“同时请求数”。',
  },
  'upstream.busy': {
    en: '{host} is busy or under maintenance ({http}).',
    zh: '{host} 正忙或正在维护（{http}）。',
  },
  'upstream.failed_there': {
    en: '{host} failed on its side ({http}).',
    zh: '{host} 自身发生了错误（{http}）。',
  },
  'upstream.try_later_tell': {
    en: "Try again later; if it happens again, tell the server's operator.",
    zh: '请稍后重试；如果持续发生，请告知服务器的运营者。',
  },
  'upstream.refused': {
    en: '{host} refused the request ({http}).',
    zh: '{host} 拒绝了请求（{http}）。',
  },
  'upstream.own_words_why': {
    en: "The server's message says why, if it sent one.",
    zh: '如果服务器给出了原话，其中说明了原因。',
  },
  'upstream.check_key': {
    en: 'Check the {keyName} of “{profileName}” in Settings → Connections.',
    zh: '请在“设置”→“连接”中检查“{profileName}”的{keyName}。',
  },
  'upstream.codes_documented': {
    en: "The server's provider documents what its codes mean.",
    zh: '各代码的含义由服务器的提供方说明。',
  },
  'upstream.portal_in_way': {
    en: 'Check the {addressName}: a login page, a proxy or a portal may be in between.',
    zh: '请检查{addressName}：可能有登录页、代理或门户页面挡在中间。',
  },
  'upstream.check_leads_tell': {
    en: "Check that the address leads to the service; if it does, tell the server's operator.",
    zh: '请检查地址是否指向该服务；如果是，请告知服务器的运营者。',
  },
  'upstream.no_content_type': {
    en: 'no content type',
    zh: '无内容类型',
  },
  'upstream.long_content_type': {
    en: 'an overlong content type',
    zh: '过长的内容类型',
  },
  'upstream.longer_than_hour': {
    en: 'It requests a pause of more than an hour; the studio tries again in an hour.',
    zh: '它要求暂停超过一小时；工作室将在一小时后再次询问。',
  },
  'upstream.wait_a_moment': {
    en: 'Wait a moment, then try again.',
    zh: '请稍候片刻，然后重试。',
  },
  'upstream.try_again_in': {
    en: 'Try again in {seconds}.',
    zh: '请在 {seconds} 后重试。',
  },
  'upstream.link_no_web_address': {
    en: 'Download: The server gave a link that begins with {url, select, something_long {something long} other {{url}}}, which is not a web address.',
    zh: '下载：服务器给出的链接以{url, select, something_long {过长的内容} other { {url} }}开头，不是网址。',
  },
  'upstream.link_bad': {
    en: 'Download: The server gave a link that is not a web address, or has a user name in it.',
    zh: '下载：服务器给出的链接不是网址，或其中带有用户名。',
  },
  'upstream.only_plain_links': {
    en: "Only plain http:// and https:// links are followed. Tell the server's operator.",
    zh: '只会打开普通的 http:// 与 https:// 链接。请告知服务器的运营者。',
  },
  'upstream.redirects_on_and_on': {
    en: 'Download: {host} redirects too often; the studio stopped after {most} redirects.',
    zh: '下载：{host} 不断要求转到其他地址；已在 {most} 次重定向后中止。',
  },
  'upstream.get_again_tell': {
    en: "Get the model again; if it happens again, tell the server's operator.",
    zh: '请重新获取模型；如果持续发生，请告知服务器的运营者。',
  },
  'upstream.download_of': {
    en: 'Download: {text}',
    zh: '下载：{text}',
  },
  'upstream.redirect_nowhere': {
    en: 'Download: {host} redirects, but not to an address (HTTP {status}).',
    zh: '下载：{host} 要求转到别处，却没有给出地址（HTTP {status}）。',
  },
  'upstream.idempotency_characters': {
    en: 'Generate model: The idempotency key has characters that are invalid in a header.',
    zh: '生成模型：幂等标识含有请求头不允许的字符。',
  },
  'upstream.letters_digits': {
    en: 'Use letters, digits and dashes.',
    zh: '请使用字母、数字和连字符。',
  },
  'upstream.no_reason': {
    en: 'The server gave no reason.',
    zh: '服务器没有给出原因。',
  },
  'upstream.not_a_file': {
    en: '“{name}” is not a file.',
    zh: '“{name}”不是文件。',
  },
  'upstream.choose_image': {
    en: 'Choose an image file.',
    zh: '请选择图片文件。',
  },
  'upstream.changed_while_sent': {
    en: '“{file}” changed while it was being sent.',
    zh: '“{file}”在发送过程中被修改。',
  },
  'upstream.wait_for_writer': {
    en: 'Wait until the program that writes it is done, then send it again.',
    zh: '请等待写入它的程序完成，然后重新发送。',
  },
  'upstream.file_empty': {
    en: '“{file}” is empty.',
    zh: '“{file}”是空文件。',
  },
  'upstream.file_gone': {
    en: '“{name}” no longer exists.',
    zh: '“{name}”已不在原处。',
  },
  'upstream.moved_or_deleted': {
    en: 'It was moved, renamed or deleted. Add it again.',
    zh: '它已被移动、重命名或删除。请重新添加。',
  },
  'upstream.may_not_open': {
    en: "“{name}” can't be read: your user has no permission.",
    zh: '无法读取“{name}”：您的用户无权打开它。',
  },
  'upstream.give_read_access': {
    en: 'Give your user read access to the file.',
    zh: '请为您的用户授予该文件的读取权限。',
  },
  'upstream.unfinished_unreadable': {
    en: "The unfinished download can't be read.",
    zh: '无法读取未完成的下载。',
  },
  'upstream.disk_too_full': {
    en: 'The disk is too full: the download needs {bytes}, and {free} are free.',
    zh: '磁盘空间不足：下载需要 {bytes}，可用 {free}。',
  },
  'upstream.free_library_disk': {
    en: 'Free some space on the target disk, then try again.',
    zh: '请在其写入的磁盘上腾出空间，然后重试。',
  },
  'upstream.certificate_without_key': {
    en: 'The connection “{profileName}” has a client certificate but no private key for it.',
    zh: '连接“{profileName}”有客户端证书，但没有对应的私钥。',
  },
  'upstream.enter_client_key': {
    en: "Enter the client certificate's private key in Settings → Connections.",
    zh: '请在“设置”→“连接”中填写客户端证书的私钥。',
  },
  'upstream.connection_closed': {
    en: 'The connection was closed.',
    zh: '连接已关闭。',
  },
  'upstream.start_again': {
    en: 'Start it again.',
    zh: '请重新开始。',
  },
  'upstream.key_mismatch': {
    en: 'The private key of “{profileName}” does not belong to its client certificate.',
    zh: '“{profileName}”的私钥与其客户端证书不匹配。',
  },
  'upstream.paste_pem': {
    en: 'Paste it as PEM text, from -----BEGIN to -----END, in Settings → Connections.',
    zh: '请在“设置”→“连接”中以 PEM 文本粘贴，从 -----BEGIN 到 -----END。',
  },
  'upstream.holds_key': {
    en: '{operation}: The server answered with {what, select, an_id {an id} a_model_id {a model id} other {a name}} that contains one of your keys; the studio did not keep it.',
    zh: '{operation}：服务器返回的{what, select, an_id {编号} a_model_id {模型编号} other {名称}}含有您的密钥；未予保存。',
  },
  'upstream.of': { en: '{operation}: {text}', zh: '{operation}：{text}' },
  'upstream.of_said': {
    en: '{operation}: {text} It said: “{words}”',
    zh: '{operation}：{text}服务器原话：“{words}”',
  },
  'upstream.alone': { en: '{text}', zh: '{text}' },
  'upstream.alone_said': { en: '{text} It said: “{words}”', zh: '{text}服务器原话：“{words}”' },
  'upstream.cancelled': {
    en: 'Cancelled.',
    zh: '已取消。',
  },
  'upstream.http_of_kind': { en: '{http}, {kind}', zh: '{http}，{kind}' },
  'upstream.answered_code': {
    en: '{host} answered with code {code} {said, select, and_no_reason {and no reason} other {“{words}”}}.',
    zh: '{host} 返回代码 {code}：{said, select, and_no_reason {没有说明原因} other {“{words}”}}。',
  },
  'upstream.answered_but': {
    en: `{host} answered with HTTP {status} ({type}), but {what, select,
      at {{field} {problem, select,
        no_object {is {value}, not an object}
        no_whole_number {is {value}, not a whole number}
        no_identifier {is {value}, not an identifier}
        no_address {is {value}, not an address}
        status_unknown {is {whatStatus}; only 1, 3 and 4 are known}
        other_model {names another model than the request}
        link_missing {is missing, although data.status is 1 (ready)}
        encoding {is {encoding}, which was not requested}
        other {is missing}}}
      web_page_not_data {the answer is a web page, not data}
      not_utf8 {the answer is not text in UTF-8}
      empty {the answer is empty}
      json_broken {the answer is incomplete or malformed JSON}
      not_json {the answer is not JSON}
      whole_no_object {the answer is {value}, not an object}
      not_protobuf {the answer is not a protobuf stream}
      page_not_file {the answer is a web page, not a file}
      file_packed {the file is compressed ({encoding}), which was not requested}
      file_no_glb {the file is not binary glTF (GLB)}
      file_version {the file is binary glTF {version}, not 2}
      file_empty {the file is empty}
      file_cut {the file has {size} {size, plural, one {byte} other {bytes}}, but the server announced {total}}
      other {the file has {size} {size, plural, one {byte} other {bytes}}, but its header states {own}}}.`,
    zh: `{host} 返回了 HTTP {status}（{type}），但{what, select,
      at {{field} {problem, select,
        no_object {为{value}，不是对象}
        no_whole_number {为{value}，不是整数}
        no_identifier {为{value}，不是标识符}
        no_address {为{value}，不是地址}
        status_unknown {为 {whatStatus}；仅支持 1、3 和 4}
        other_model {与请求的模型编号不同}
        link_missing {缺失，尽管 data.status 为 1（已就绪）}
        encoding {为 {encoding}，并未请求此编码}
        other {缺失}}}
      web_page_not_data {应答是网页，而不是数据}
      not_utf8 {应答不是 UTF-8 文本}
      empty {应答为空}
      json_broken {应答是中断或格式错误的 JSON}
      not_json {应答不是 JSON}
      whole_no_object {应答是{value}，不是对象}
      not_protobuf {应答不是 protobuf 流}
      page_not_file {应答是网页，而不是文件}
      file_packed {文件经过压缩（{encoding}），并未请求此编码}
      file_no_glb {文件不是二进制 glTF（GLB）}
      file_version {文件是二进制 glTF {version}，不是 2}
      file_empty {文件为空}
      file_cut {文件有 {size} 字节，而服务器声明为 {total}}
      other {文件有 {size} 字节，而其文件头标明 {own}}}。`,
  },
  'upstream.it_begins': { en: 'It begins: “{excerpt}”', zh: '其开头为：“{excerpt}”' },
  'upstream.gave_up': {
    en: 'Audio to face: {host} gave up{after, select, after_frames { after {frames} {frames, plural, one {frame} other {frames}}} other {}}{code, select, in_brackets { ({codeCode})} other {}}: “{words, select, no_reason_given {no reason given} other {{words}}}”',
    zh: '音频驱动面部：{host} 中途放弃{after, select, after_frames {（已收到 {frames} 帧）} other {}}{code, select, in_brackets {（{codeCode}）} other {}}：“{words, select, no_reason_given {未说明原因} other {{words}}}”',
  },
  'upstream.face_stream_of': {
    en: 'Audio to face: {host}: {problem}',
    zh: '音频驱动面部：{host} 的数据流有问题（技术细节：{problem}）。',
  },
  'upstream.file_larger': {
    en: 'Download: The file at {host} is larger than the limit of {most}.',
    zh: '下载：{host} 上的文件大于上限 {most}。',
  },
  'upstream.file_too_large': {
    en: 'Download: The file at {host} has {total}, more than the limit of {most}.',
    zh: '下载：{host} 上的文件有 {total}，超过上限 {most}。',
  },
  'upstream.cannot_be_read': {
    en: "The {what, select, custom_ca {custom CA} other {client certificate or its private key}} of “{profileName}” can't be read{code, select, in_brackets { ({codeCode})} other {}}.",
    zh: '无法读取“{profileName}”的{what, select, custom_ca {自定义 CA} other {客户端证书或其私钥}}{code, select, in_brackets {（{codeCode}）} other {}}。',
  },
  'upstream.tell_operator': { en: "Tell the server's operator.", zh: '请告知服务器的运营者。' },
  'upstream.tell_perhaps_billed': {
    en: "Tell the server's operator. The server may bill the call: check your account there before you send it again.",
    zh: '请告知服务器的运营者。服务器可能会为此次调用计费：重新发送之前，请先在该服务器的账户中查看。',
  },
  'upstream.in_both': { en: '{words}', zh: '{words}' },
  'answer_value.array': { en: 'an array', zh: '数组' },
  'answer_value.object': { en: 'an object', zh: '对象' },
  'answer_value.long_text': { en: 'a text of {length} characters', zh: '{length} 个字符的文本' },
} as const;
