/** Faults of a head's file, and names of its parts (`glb_part`). Names from the glTF format stay in English, in quotes. */
export const glbFaultsMessages = {
  'glb.export_anew': {
    en: 'Export the head again from its program, or download it again.',
    zh: '请从制作该头模的程序重新导出，或重新获取。',
  },
  // Only in messages that an earlier studio stored.
  'glb.fault': { en: '{problem}', zh: '{problem}' },
  'glb.not_glb': {
    en: 'The head is not a binary glTF 2.0 file (GLB).',
    zh: '头模不是二进制 glTF 2.0 文件（GLB）。',
  },
  'glb.choose_another': {
    en: 'Choose another head, or verify its library.',
    zh: '请选择其他头模，或校验它所在的模型库。',
  },
  'glb.triangle_points': {
    en: 'The head has triangles with missing vertices.',
    zh: '头模的三角形引用了不存在的顶点。',
  },
  'glb.not_finite': {
    en: 'The head has positions that are not numbers.',
    zh: '头模中有的坐标不是有效数字。',
  },
  'glb.missing_joints': {
    en: 'The head is bound to missing joints.',
    zh: '头模引用了不存在的关节。',
  },
  'glb.no_triangles': {
    en: 'The file has no triangles in its scene.',
    zh: '文件的场景中没有三角形。',
  },
  'glb.long_animation': {
    en: 'An animation of the head is longer than {most} frames.',
    zh: '头模的一段动画超过可写入的 {most} 帧。',
  },
  'glb.picture_unreadable': {
    en: 'A texture of the head can’t be read: {why}.',
    zh: '无法读取头模的一张贴图：{why}。',
  },
  'glb_fault.not_glb': {
    en: 'The file is not binary glTF (GLB).',
    zh: '文件有问题：不是二进制 glTF（GLB）。',
  },
  'glb_fault.version': {
    en: 'The file is binary glTF {version}; only 2 is known.',
    zh: '文件有问题：是二进制 glTF {version}；仅支持版本 2。',
  },
  'glb_fault.size': {
    en: 'The file states {said} {said, plural, one {byte} other {bytes}} but has {size}.',
    zh: '文件有问题：标明有 {said} 字节，实际有 {size} 字节。',
  },
  'glb_fault.no_json_first': {
    en: 'The file does not begin with a JSON chunk.',
    zh: '文件有问题：开头不是 JSON 数据块。',
  },
  'glb_fault.cut_in_json': {
    en: 'The file is cut off within its JSON chunk.',
    zh: '文件有问题：在 JSON 数据块中被截断。',
  },
  'glb_fault.cut_in_bin': {
    en: 'The file is cut off within its BIN chunk.',
    zh: '文件有问题：在 BIN 数据块中被截断。',
  },
  'glb_fault.json_is_none': {
    en: 'The file has a JSON chunk that is not JSON.',
    zh: '文件有问题：JSON 数据块的内容不是 JSON。',
  },
  'glb_fault.json_is_no_gltf': {
    en: 'The file has a JSON chunk that is not glTF.',
    zh: '文件有问题：JSON 数据块的内容不是 glTF。',
  },
  'glb_fault.json_depth': {
    en: 'The file has JSON more than {most} levels deep.',
    zh: '文件有问题：JSON 嵌套超过 {most} 层。',
  },
  'glb_fault.no_list': {
    en: 'The file has “{name}” that is not a list.',
    zh: '文件有问题：“{name}”不是列表。',
  },
  'glb_fault.no_object': {
    en: 'The file has something in “{name}” that is not an object.',
    zh: '文件有问题：“{name}”中有不是对象的条目。',
  },
  'glb_fault.not_whole': {
    en: 'The file has {where} whose {name} is {value}, not a whole number from 0 on.',
    zh: '文件有问题：{where}的“{name}”为“{value}”，不是非负整数。',
  },
  'glb_fault.names_none': {
    en: 'The file names {what} {value}, which it does not have.',
    zh: '文件有问题：引用了不存在的{what} {value}。',
  },
  'glb_fault.no_list_of': {
    en: 'The file’s {what} list is not a list.',
    zh: '文件有问题：{what}的列表不是列表。',
  },
  'glb_fault.too_many': {
    en: 'The file has {value} {what, select, bytes {bytes} json_bytes {bytes of JSON} json_values {values in its JSON} characters {characters in one text} packed_bytes {bytes of packed data} vertex_bytes {bytes of vertex data when it is unpacked} empty_bytes {bytes of vertex data that it does not hold} pixels {pixels in its images} attributes {attributes in one primitive} primitives {primitives} targets {morph targets} target_vertices {vertices in its morph targets} target_names {names of morph targets} drawn_vertices {vertices to be drawn} drawn_corners {corners of triangles to be drawn} scene_nodes {nodes in its scenes} instance_attributes {attributes of instances} joints {joints} tracks {animation tracks} track_values {values in its animations} other {{name}}}; the limit is {most}.',
    zh: '文件有问题：{what, select, bytes {文件字节数} json_bytes {JSON 的字节数} json_values {JSON 中值的数量} characters {单个文本的字符数} packed_bytes {压缩数据的字节数} vertex_bytes {顶点数据解压后的字节数} empty_bytes {文件中并不存在的顶点数据的字节数} pixels {所有图片的像素数} attributes {单个图元的顶点属性数} primitives {图元数} targets {形态目标数} target_vertices {形态目标的顶点数} target_names {形态目标名称数} drawn_vertices {需要绘制的顶点数} drawn_corners {需要绘制的三角形顶点数} scene_nodes {所有场景的节点数} instance_attributes {实例属性数} joints {关节数} tracks {动画轨道数} track_values {动画中值的数量} other {“{name}”的条目数}}为 {value}，最多读取 {most}。',
  },
  'glb_fault.data_elsewhere': {
    en: 'The file keeps its data in other files; it must contain all of it.',
    zh: '文件有问题：数据保存在其他文件中；所有内容必须在同一文件内。',
  },
  'glb_fault.buffer_short': {
    en: 'The file has buffer {number} that is shorter than stated.',
    zh: '文件有问题：缓冲区 {number} 的内容少于其标明的长度。',
  },
  'glb_fault.data_short': {
    en: 'The file states {said} {said, plural, one {byte} other {bytes}} of data but has {size}.',
    zh: '文件有问题：标明数据有 {said} 字节，实际有 {size} 字节。',
  },
  'glb_fault.after_buffer': {
    en: 'The file has {where} that ends after its buffer.',
    zh: '文件有问题：{where}超出其缓冲区的末尾。',
  },
  'glb_fault.no_data': {
    en: 'The file has {where} in a buffer that has no data.',
    zh: '文件有问题：{where}所在的缓冲区没有数据。',
  },
  'glb_fault.stride': {
    en: 'The file has {where} with a stride of {bytes} {bytes, plural, one {byte} other {bytes}}.',
    zh: '文件有问题：{where}的步长为 {bytes} 字节。',
  },
  'glb_fault.packed_size': {
    en: 'The file has {where} of {bytes} {bytes, plural, one {byte} other {bytes}}, which is packed as {packed}.',
    zh: '文件有问题：{where}有 {bytes} 字节，但压缩数据标明为 {packed} 字节。',
  },
  'glb_fault.over_view': {
    en: 'The file has {where} that exceeds its buffer view.',
    zh: '文件有问题：{where}的内容超出其缓冲区视图。',
  },
  'glb_fault.unknown_kind': {
    en: 'The file has {where} of a type that glTF does not know.',
    zh: '文件有问题：{where}的类型在 glTF 中不存在。',
  },
  'glb_fault.sparse_is_none': {
    en: 'The file has {where} with a “sparse” that is not valid.',
    zh: '文件有问题：{where}的“sparse”无效。',
  },
  'glb_fault.sparse_incomplete': {
    en: 'The file has {where} without required data.',
    zh: '文件有问题：{where}缺少所需的内容。',
  },
  'glb_fault.picture_size': {
    en: 'The file has image {number} of {width} × {height} pixels; the limit is {most} × {most}.',
    zh: '文件有问题：图片 {number} 为 {width} × {height} 像素；最多读取 {most} × {most} 像素。',
  },
  'glb_fault.pictures_elsewhere': {
    en: 'The file keeps its textures in other files; it must contain them.',
    zh: '文件有问题：图片保存在其他文件中；所有内容必须在同一文件内。',
  },
  'glb_fault.picture_kind': {
    en: 'The file has image {number} that is not JPEG, PNG, WebP, AVIF or KTX2.',
    zh: '文件有问题：图片 {number} 不是 JPEG、PNG、WebP、AVIF 或 KTX2。',
  },
  'glb_fault.picture_header': {
    en: "The file has image {number} whose header can't be read.",
    zh: '文件有问题：无法读取图片 {number} 的文件头。',
  },
  'glb_fault.no_attributes': {
    en: 'The file has a mesh without attributes.',
    zh: '文件有问题：有一个网格没有顶点属性。',
  },
  'glb_fault.draco': {
    en: 'The file uses Draco compression, which the studio does not support; export it without.',
    zh: '文件有问题：使用了 Draco 压缩，工作室无法读取；请不使用该压缩重新导出。',
  },
  'glb_fault.two_parents': {
    en: 'The file has node {number} in two places.',
    zh: '文件有问题：节点 {number} 出现在两处。',
  },
  'glb_fault.node_depth': {
    en: 'The file has nodes nested more than {most} deep.',
    zh: '文件有问题：节点嵌套超过 {most} 层。',
  },
  'glb_fault.circle': {
    en: 'The file has a cycle of nodes.',
    zh: '文件有问题：节点循环引用。',
  },
  'glb_fault.node_twice': {
    en: 'The file has a scene that contains a node twice.',
    zh: '文件有问题：有一个场景两次包含同一节点。',
  },
  'glb_part.numbered': { en: '{what} {number}', zh: '{what} {number}' },
  'glb_part.packed': { en: 'the packed {where}', zh: '压缩的{where}' },
  'glb_part.sparse': { en: 'the sparse {where}', zh: '稀疏的{where}' },
  'glb_part.buffer': { en: 'buffer', zh: '缓冲区' },
  'glb_part.buffer_view': { en: 'buffer view', zh: '缓冲区视图' },
  'glb_part.accessor': { en: 'accessor', zh: '访问器' },
  'glb_part.material': { en: 'material', zh: '材质' },
  'glb_part.mesh': { en: 'mesh', zh: '网格' },
  'glb_part.skin': { en: 'skin', zh: '蒙皮' },
  'glb_part.node': { en: 'node', zh: '节点' },
  'glb_part.scene': { en: 'scene', zh: '场景' },
} as const;
