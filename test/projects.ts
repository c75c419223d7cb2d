/**
 * Which tests run in which project of Vitest (`vitest.config.ts`). A file that is named here in neither list
 * is `pure`: it runs in a thread that it shares with others, and must leave no global changed.
 */

/** Start processes, use the environment or the built `out/`, or load a module that leaves globals behind. */
export const processFiles: string[] = [
  'test/house/import_rules.test.ts',
  'test/main/*.test.ts',
  'test/main/batch/{crash,trouble}.test.ts',
  'test/main/{commands,compose,desktop,journal,service}/**/*.test.ts',
  'test/main/engine/engine_folder.test.ts',
  'test/main/engine/{host,models}/**/*.test.ts',
  'test/main/engine/portrait/engine.test.ts',
  'test/main/engine/speech/{background_noise,real_speech}.test.ts',
  'test/main/formats/{convert_threads,fbx,usdz}.test.ts',
  'test/main/library/{disks,exports,unusable_folder}.test.ts',
  'test/main/live/{engine_memory,session,tracked_recording}.test.ts',
  'test/main/send/{sending,viewer_server,vmc_receiving}.test.ts',
  'test/main/shell/**/*.test.ts',
  'test/main/storage/{atomic_file,instance_lock}.test.ts',
  'test/main/gltf/glb_bounds.test.ts',
  'test/main/takes/{crash,export_sync,foreign_takes,sound_file,take_crashes}.test.ts',
  'test/main/takes/{take_export,takes,talk}.test.ts',
  'test/main/takes/edits/edit_crash.test.ts',
  'test/packaging/*.test.ts',
  'test/proto/{face_stream,user_schema}.test.ts',
  'test/{readers,support}/*.test.ts',
];

/** Make or photograph heads in this process. */
export const headFiles: string[] = [
  'test/main/engine/default_mesh.test.ts',
  'test/main/engine/portrait/{bad_photos,choices,corrections,damaged_photo,default_head,ears,forehead_hair}.test.ts',
  'test/main/engine/portrait/{fringe,glasses,hair,hair_from_around,hair_map,hair_style,head}.test.ts',
  'test/main/engine/portrait/{invented_heads,mouth,person_outline,phone_photos,photo_plane}.test.ts',
  'test/main/engine/portrait/{rendered_portraits,several_photos,tflite_network}.test.ts',
  'test/main/engine/speech/mouth_on_head.test.ts',
  'test/main/engine/speech/take/take_face.test.ts',
  'test/main/formats/lips/lip_gap.test.ts',
  'test/main/formats/{names,vrm}.test.ts',
  'test/main/gltf/{head_file,morph_normals}.test.ts',
  'test/main/takes/scorecard/score_take.test.ts',
];
