/**
 * Which tests run in which project of Vitest (`vitest.config.ts`). A file that no list names is `pure`: it runs
 * in a thread that it shares with others, and must leave no global changed.
 */

/** Start processes, use the environment or the built `out/`, or load a module that leaves globals behind. */
export const processFiles: string[] = [
  'test/house/{import_rules,packages,retired_names}.test.ts',
  'packages/*/test/example.test.ts',
  'test/main/*.test.ts',
  'test/main/batch/{crash,trouble}.test.ts',
  'test/main/{commands,compose,desktop,engine_host,faults}/**/*.test.ts',
  'packages/{journal,service}/test/**/*.test.ts',
  'packages/engine/test/engine_folder.test.ts',
  'packages/engine/test/models/**/*.test.ts',
  'packages/portrait/test/engine.test.ts',
  'packages/speech/test/{background_noise,real_speech}.test.ts',
  'packages/gltf/test/formats/{convert_threads,fbx,usdz}.test.ts',
  'test/main/library/{disks,exports,unusable_folder}.test.ts',
  'test/main/live/{engine_memory,session,tracked_recording}.test.ts',
  'test/main/send/{sending,viewer_server,vmc_receiving}.test.ts',
  'test/main/shell/**/*.test.ts',
  'packages/node-kit/test/storage/{atomic_file,instance_lock}.test.ts',
  'packages/gltf/test/glb_bounds.test.ts',
  'test/main/takes/{crash,export_sync,foreign_takes,sound_file,take_crashes}.test.ts',
  'test/main/takes/{take_export,takes,talk}.test.ts',
  'test/main/takes/edits/edit_crash.test.ts',
  'test/packaging/*.test.ts',
  'test/preload/preload.test.ts',
  'test/proto/{example,face_stream,user_schema}.test.ts',
  'test/{readers,support}/*.test.ts',
];

/** Make or photograph heads in this process. */
export const headFiles: string[] = [
  'packages/engine/test/default_mesh.test.ts',
  'packages/portrait/test/{bad_photos,corrections,damaged_photo,ears}.test.ts',
  'packages/portrait/test/{glasses,hair,profile_hair,hair_map,hair_style,head,head_options}.test.ts',
  'packages/portrait/test/{mouth,person_outline,phone_photos,photo_plane}.test.ts',
  'packages/synthetic-heads/test/{default_head,invented_heads}.test.ts',
  'packages/portrait/test/{light_estimate,rendered_portraits,segmentation,several_photos,stage_cache}.test.ts',
  'packages/speech/test/mouth_on_head.test.ts',
  'packages/speech/test/take/take_face.test.ts',
  'packages/gltf/test/formats/lips/lip_gap.test.ts',
  'packages/gltf/test/formats/{names,vrm}.test.ts',
  'packages/gltf/test/{head_file,morph_normals}.test.ts',
  'test/main/takes/scorecard/score_take.test.ts',
];

/** Render components, or need a browser's own classes: canvas, codecs, storage, workers. */
export const browserFiles: string[] = [
  'test/renderer/**/*.test.tsx',
  'test/renderer/live/{live-settings,monitor}.test.ts',
  'test/renderer/speaking/{face-driver,pixel-copy}.test.ts',
  'test/renderer/library/long_list.test.ts',
  'test/renderer/studio.test.ts',
  'test/renderer/takes/editor/timeline-curves.test.ts',
  'test/renderer/takes/face/face-reader.test.ts',
  'test/renderer/takes/video/{film-choice,film-face,film-pixels}.test.ts',
  'test/renderer/viewer/{load-head,morphs}.test.ts',
];
