export const formatsMessages = {
  'blender.none': {
    en: '{path} is not Blender.',
    zh: '{path} 不是 Blender。',
  },
  'blender.choose': {
    en: 'Choose the program itself: blender, blender.exe or Blender.app.',
    zh: '请选择程序本身：blender、blender.exe 或 Blender.app。',
  },
  'blender.not_started': {
    en: 'Blender did not start: {why}.',
    zh: 'Blender 未能启动：{why}。',
  },
  'blender.start_yourself': {
    en: 'Start it yourself and import the exported GLB.',
    zh: '请自行启动并导入已导出的 GLB。',
  },
  'blender.not_found': {
    en: 'Blender was not found on this machine.',
    zh: '在这台计算机上没有找到 Blender。',
  },
  'blender.say_where': {
    en: 'Locate it, or export a GLB and import it there.',
    zh: '请指定它的位置，或导出 GLB 后在其中导入。',
  },
  'batch.no_key': {
    en: 'The connection “{name}” has no key for models (Group B).',
    zh: '连接“{name}”没有用于模型（B 组）的密钥。',
  },
  'batch.no_token': {
    en: 'The connection “{name}” has no access token (Group A).',
    zh: '连接“{name}”没有访问令牌（A 组）。',
  },
  'batch.enter_key': {
    en: 'Nothing was queued. Enter it in Settings → Connections.',
    zh: '没有任务进入队列。请在“设置”→“连接”中输入。',
  },
  'back_up.too_much': {
    en: 'The settings are too large for one file (8 MB).',
    zh: '设置内容超过一个文件的上限（8 MB）。',
  },
  'back_up.remove_some': {
    en: 'Remove certificates or saved poses that you no longer need, or export connections separately.',
    zh: '请删除不需要的证书或已保存的姿势，或单独导出连接。',
  },
  'back_up.nothing_read': {
    en: 'There is nothing to undo: no settings were restored.',
    zh: '没有可以撤回的已读取设置。',
  },
  'back_up.studio_open': {
    en: 'The studio is open, and would overwrite these settings with its own.',
    zh: '工作室已打开，会用自己的设置覆盖这些设置。',
  },
  'back_up.read_there': {
    en: 'Restore the file there (Settings → Settings backup), or close the studio first.',
    zh: '请在工作室中恢复该文件（“设置”→“设置备份”），或先关闭工作室。',
  },
  'takes.no_face_in_it': {
    en: 'The take has no face.',
    zh: '录制中没有面部数据。',
  },
  'takes.head_cannot_move': {
    en: 'The head has no morph targets with ARKit or viseme names.',
    zh: '头模没有采用 ARKit 或口型名称的形态目标。',
  },
  'takes.choose_head': {
    en: 'Choose a head whose shapes have these names, or export the take as a table.',
    zh: '请选择形态采用这些名称的头模，或将录制导出为表格。',
  },
  'export.cancelled': {
    en: 'The export was cancelled.',
    zh: '导出已取消。',
  },
  'cli.asks_its_person': {
    en: 'This asks for a confirmation, so it can’t run in an open studio.',
    zh: '此命令需要询问使用者，因此不会在打开的工作室中执行。',
  },
  'glb.too_large_to_rewrite': {
    en: 'The head has {megabytes} MB; the studio rewrites files of up to {most} MB.',
    zh: '头模有 {megabytes} MB；最多改写 {most} MB 的文件。',
  },
  'glb.smaller_pictures': {
    en: 'Make its textures smaller, or export it as it is.',
    zh: '请缩小其贴图，或按原样导出。',
  },
  'glb.unreadable': {
    en: 'The head can’t be read as glTF: {why}.',
    zh: '无法将头模读取为 glTF：{why}。',
  },
  'vrm.left_springs': {
    en: 'The VRM’s springs (hair and clothes that swing) are left out.',
    zh: 'VRM 的弹簧骨骼（摆动的头发和衣物）未包含在内。',
  },
  'vrm.left_constraints': {
    en: 'The VRM’s constraints between bones are left out.',
    zh: 'VRM 的骨骼约束未包含在内。',
  },
  'vrm.left_toon': {
    en: 'The VRM’s toon materials (MToon) become plain glTF materials.',
    zh: 'VRM 的卡通材质（MToon）变为普通 glTF 材质。',
  },
  'vrm.left_colours': {
    en: 'The VRM’s expressions keep their shapes, but not their changes of colours and textures.',
    zh: 'VRM 的表情保留形态；其中对颜色和贴图的更改未包含在内。',
  },
  'vrm.left_licence': {
    en: 'This format can’t store the VRM’s author and licence: {author}. Respect its terms.',
    zh: '此格式无法保存 VRM 的作者和许可：{author}。请遵守其条款。',
  },
  'vrm.nothing_seen': {
    en: 'The file has no visible content.',
    zh: '文件中没有可见的内容。',
  },
  'vrm.choose_head': {
    en: 'Choose a file with a head.',
    zh: '请选择含有头模的文件。',
  },
  'vrm.no_shapes': {
    en: 'This head has no face shapes, so a VRM of it can’t speak, blink or smile.',
    zh: '此头模没有面部形态：作为 VRM 无法说话、眨眼或微笑。',
  },
  'vrm.choose_with_shapes': {
    en: 'Choose a head with morph targets, such as one that the studio made from a photo.',
    zh: '请选择带有形态目标的头模，例如工作室由照片生成的头模。',
  },
  'vrm.no_scene': {
    en: 'The file has no scene, so nothing is visible.',
    zh: '文件没有场景：其中没有可见的内容。',
  },
  'vrm.export_anew': {
    en: 'Export it again from its program.',
    zh: '请从原程序重新导出。',
  },
  'vrm.ktx2': {
    en: 'The head’s textures are KTX2, which VRM does not support.',
    zh: '头模的贴图为 KTX2，VRM 不支持。',
  },
  'vrm.png_or_jpeg': {
    en: 'Export it from its program with PNG or JPEG textures.',
    zh: '请从原程序以 PNG 或 JPEG 贴图导出。',
  },
  'vrm.picture_unreadable': {
    en: 'The picture for the VRM can’t be read.',
    zh: '无法读取用于 VRM 的图片。',
  },
  'vrm.take_without_face': {
    en: 'The take has no face that can drive an avatar.',
    zh: '录制中没有可以驱动虚拟形象的面部数据。',
  },
  'vrm.make_face': {
    en: 'Make the face from the take’s audio first.',
    zh: '请先由录制的声音生成面部数据。',
  },
  'format.usdz_too_much': {
    en: 'The export exceeds the limit of a USDZ file (4 GiB).',
    zh: '超出 USDZ 文件的容量（4 GiB）。',
  },
  'format.fbx_too_much': {
    en: 'The export exceeds the limit of an FBX file (4 GiB).',
    zh: '超出 FBX 文件的容量（4 GiB）。',
  },
  'format.shorter': {
    en: 'Export a shorter take, or as GLB.',
    zh: '请导出较短的录制，或导出为 GLB。',
  },
  'names.own_stay': {
    en: 'You can’t change the built-in name tables.',
    zh: '工作室自带的名称表不可更改。',
  },
  'names.save_under_name': {
    en: 'Save a copy under another name and change that.',
    zh: '请以一个名称另存：该表可由你更改。',
  },
  'names.no_table': {
    en: 'This name table does not exist (any more).',
    zh: '没有这样的名称表（或已不存在）。',
  },
  'names.too_many': {
    en: 'There are already {most} name tables.',
    zh: '已有 {most} 个名称表。',
  },
  'names.remove_one': {
    en: 'Remove one that you no longer need.',
    zh: '请删除一个不再需要的。',
  },
  'names.too_many_heads': {
    en: 'Already {most} heads have their own shape mapping.',
    zh: '已有 {most} 个头模带有自己的形态映射。',
  },
  'names.reset_one': {
    en: 'Reset one that you no longer need.',
    zh: '请将一个不再需要的还原。',
  },
  'names.drives_newer': {
    en: 'The shape mappings were written by a newer Likeness Studio (version {version}).',
    zh: '形态映射由更新版本的 Likeness Studio 写入（版本 {version}）。',
  },
  'names.newer': {
    en: 'The name tables were written by a newer Likeness Studio (version {version}).',
    zh: '名称表由更新版本的 Likeness Studio 写入（版本 {version}）。',
  },
  'walk.is_table': {
    en: '“{fileName}” is a table, not a photo.',
    zh: '“{fileName}”是表格，不是照片。',
  },
  'names.no_field': {
    en: 'There is no field {whole}.',
    zh: '没有字段 {whole}。',
  },
  'names.there_are': {
    en: 'Available: {fields}.',
    zh: '可用的有 {fields}。',
  },
} as const;
