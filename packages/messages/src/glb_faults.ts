/**
 * Faults of a head's file: complete sentences (`glb`), predicates of "The file …" (`glb_fault`), parts of a
 * file (`glb_part`) and countable parts (`glb_count`). Names from the glTF format stay in English, in quotes.
 */
export const glbFaultsSentences = {
  'glb.export_anew': {
    en: 'Export the head again from its program, or download it again.',
    zh: '请从制作该头模的程序重新导出，或重新获取。',
  },
  'glb.fault': {
    en: 'The file {problem}.',
    zh: '文件有问题：{problem}。',
  },
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
    en: 'is not binary glTF (GLB)',
    zh: '不是二进制 glTF（GLB）',
  },
  'glb_fault.version': {
    en: 'is binary glTF {version}; only 2 is known',
    zh: '是二进制 glTF {version}；仅支持版本 2',
  },
  'glb_fault.size': {
    en: 'states {said} {said, plural, one {byte} other {bytes}} but has {size}',
    zh: '标明有 {said} 字节，实际有 {size} 字节',
  },
  'glb_fault.no_json_first': {
    en: 'does not begin with a JSON chunk',
    zh: '开头不是 JSON 数据块',
  },
  'glb_fault.cut_in_json': {
    en: 'is cut off within its JSON chunk',
    zh: '在 JSON 数据块中被截断',
  },
  'glb_fault.cut_in_bin': {
    en: 'is cut off within its BIN chunk',
    zh: '在 BIN 数据块中被截断',
  },
  'glb_fault.json_is_none': {
    en: 'has a JSON chunk that is not JSON',
    zh: 'JSON 数据块的内容不是 JSON',
  },
  'glb_fault.json_is_no_gltf': {
    en: 'has a JSON chunk that is not glTF',
    zh: 'JSON 数据块的内容不是 glTF',
  },
  'glb_fault.json_depth': {
    en: 'has JSON more than {most} levels deep',
    zh: 'JSON 嵌套超过 {most} 层',
  },
  'glb_fault.no_list': {
    en: 'has “{name}” that is not a list',
    zh: '“{name}”不是列表',
  },
  'glb_fault.no_object': {
    en: 'has something in “{name}” that is not an object',
    zh: '“{name}”中有不是对象的条目',
  },
  'glb_fault.not_whole': {
    en: 'has {where} whose {name} is {value}, not a whole number from 0 on',
    zh: '{where}的“{name}”为“{value}”，不是非负整数',
  },
  'glb_fault.names_none': {
    en: 'names {what} {value}, which it does not have',
    zh: '引用了不存在的{what} {value}',
  },
  'glb_fault.no_list_of': {
    en: 'has a list of {what}s that is none',
    zh: '{what}的列表不是列表',
  },
  'glb_fault.too_many': {
    en: 'has {value} {what}; the limit is {most}',
    zh: '{what}为 {value}，最多读取 {most}',
  },
  'glb_fault.data_elsewhere': {
    en: 'keeps its data in other files; it must contain all of it',
    zh: '数据保存在其他文件中；所有内容必须在同一文件内',
  },
  'glb_fault.buffer_short': {
    en: 'has buffer {number} that is shorter than stated',
    zh: '缓冲区 {number} 的内容少于其标明的长度',
  },
  'glb_fault.data_short': {
    en: 'states {said} {said, plural, one {byte} other {bytes}} of data but has {size}',
    zh: '标明数据有 {said} 字节，实际有 {size} 字节',
  },
  'glb_fault.after_buffer': {
    en: 'has {where} that ends after its buffer',
    zh: '{where}超出其缓冲区的末尾',
  },
  'glb_fault.no_data': {
    en: 'has {where} in a buffer that has no data',
    zh: '{where}所在的缓冲区没有数据',
  },
  'glb_fault.stride': {
    en: 'has {where} with a stride of {bytes} {bytes, plural, one {byte} other {bytes}}',
    zh: '{where}的步长为 {bytes} 字节',
  },
  'glb_fault.packed_size': {
    en: 'has {where} of {bytes} {bytes, plural, one {byte} other {bytes}}, which is packed as {packed}',
    zh: '{where}有 {bytes} 字节，但压缩数据标明为 {packed} 字节',
  },
  'glb_fault.over_view': {
    en: 'has {where} that exceeds its buffer view',
    zh: '{where}的内容超出其缓冲区视图',
  },
  'glb_fault.unknown_kind': {
    en: 'has {where} of a type that glTF does not know',
    zh: '{where}的类型在 glTF 中不存在',
  },
  'glb_fault.sparse_is_none': {
    en: 'has {where} with a “sparse” that is not valid',
    zh: '{where}的“sparse”无效',
  },
  'glb_fault.sparse_incomplete': {
    en: 'has {where} without required data',
    zh: '{where}缺少所需的内容',
  },
  'glb_fault.picture_size': {
    en: 'has image {number} of {width} × {height} pixels; the limit is {most} × {most}',
    zh: '图片 {number} 为 {width} × {height} 像素；最多读取 {most} × {most} 像素',
  },
  'glb_fault.pictures_elsewhere': {
    en: 'keeps its textures in other files; it must contain them',
    zh: '图片保存在其他文件中；所有内容必须在同一文件内',
  },
  'glb_fault.picture_kind': {
    en: 'has image {number} that is not JPEG, PNG, WebP, AVIF or KTX2',
    zh: '图片 {number} 不是 JPEG、PNG、WebP、AVIF 或 KTX2',
  },
  'glb_fault.picture_header': {
    en: "has image {number} whose header can't be read",
    zh: '无法读取图片 {number} 的文件头',
  },
  'glb_fault.no_attributes': {
    en: 'has a mesh without attributes',
    zh: '有一个网格没有顶点属性',
  },
  'glb_fault.draco': {
    en: 'uses Draco compression, which the studio does not support; export it without',
    zh: '使用了 Draco 压缩，工作室无法读取；请不使用该压缩重新导出',
  },
  'glb_fault.two_parents': {
    en: 'has node {number} in two places',
    zh: '节点 {number} 出现在两处',
  },
  'glb_fault.node_depth': {
    en: 'has nodes nested more than {most} deep',
    zh: '节点嵌套超过 {most} 层',
  },
  'glb_fault.circle': {
    en: 'has a cycle of nodes',
    zh: '节点循环引用',
  },
  'glb_fault.node_twice': {
    en: 'has a scene that contains a node twice',
    zh: '有一个场景两次包含同一节点',
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
  'glb_count.entries': { en: '{name}', zh: '“{name}”的条目数' },
  'glb_count.bytes': { en: 'bytes', zh: '文件字节数' },
  'glb_count.json_bytes': { en: 'bytes of JSON', zh: 'JSON 的字节数' },
  'glb_count.json_values': { en: 'values in its JSON', zh: 'JSON 中值的数量' },
  'glb_count.characters': { en: 'characters in one text', zh: '单个文本的字符数' },
  'glb_count.packed_bytes': { en: 'bytes of packed data', zh: '压缩数据的字节数' },
  'glb_count.vertex_bytes': {
    en: 'bytes of vertex data when it is unpacked',
    zh: '顶点数据解压后的字节数',
  },
  'glb_count.empty_bytes': {
    en: 'bytes of vertex data that it does not hold',
    zh: '文件中并不存在的顶点数据的字节数',
  },
  'glb_count.pixels': { en: 'pixels in its images', zh: '所有图片的像素数' },
  'glb_count.attributes': { en: 'attributes in one primitive', zh: '单个图元的顶点属性数' },
  'glb_count.primitives': { en: 'primitives', zh: '图元数' },
  'glb_count.targets': { en: 'morph targets', zh: '形态目标数' },
  'glb_count.target_vertices': { en: 'vertices in its morph targets', zh: '形态目标的顶点数' },
  'glb_count.target_names': { en: 'names of morph targets', zh: '形态目标名称数' },
  'glb_count.drawn_vertices': { en: 'vertices to be drawn', zh: '需要绘制的顶点数' },
  'glb_count.drawn_corners': { en: 'corners of triangles to be drawn', zh: '需要绘制的三角形顶点数' },
  'glb_count.scene_nodes': { en: 'nodes in its scenes', zh: '所有场景的节点数' },
  'glb_count.instance_attributes': { en: 'attributes of instances', zh: '实例属性数' },
  'glb_count.joints': { en: 'joints', zh: '关节数' },
  'glb_count.tracks': { en: 'animation tracks', zh: '动画轨道数' },
  'glb_count.track_values': { en: 'values in its animations', zh: '动画中值的数量' },
} as const;
