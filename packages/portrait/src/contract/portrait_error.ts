import { photoErrorCodes } from '@likeness/proto/heads/photo_findings.ts';

/** Why no head was made: problems of the photo, then those of the job. */
export const portraitErrorCodes = [
  ...photoErrorCodes,
  'cancelled',
  'worker_died',
  'took_too_long',
  'photo_not_kept',
  'engine_closed',
] as const;
export type PortraitErrorCode = (typeof portraitErrorCodes)[number];

/** A photo that no head can be made of, or a job that ended before it was done. */
export class PortraitError extends Error {
  readonly code: PortraitErrorCode;
  /** What the message for a person needs: pixels, degrees, counts. */
  readonly params: Record<string, string | number>;

  constructor(code: PortraitErrorCode, params: Record<string, string | number> = {}) {
    super(code);
    this.name = 'PortraitError';
    this.code = code;
    this.params = params;
  }
}

type Sentence = (p: Record<string, string | number>) => string;

const sentences: Record<PortraitErrorCode, { en: Sentence; zh: Sentence }> = {
  not_an_image: {
    en: () => 'This file is not a picture that can be read. Use a JPEG, HEIC, PNG, WebP, TIFF or AVIF photo.',
    zh: () => '无法把此文件读取为图片。请使用 JPEG、HEIC、PNG、WebP、TIFF 或 AVIF 格式的照片。',
  },
  damaged_image: {
    en: () => 'The picture file is damaged or incomplete. Export or copy the photo again.',
    zh: () => '图片文件已损坏或不完整。请重新导出或复制这张照片。',
  },
  animated_image: {
    en: (p) => `The picture is animated (${p.pages} frames). Save one frame as a still photo.`,
    zh: (p) => `这是动态图片（共 ${p.pages} 帧）。请将其中一帧另存为静态照片。`,
  },
  too_large: {
    en: (p) => `The file has ${p.megabytes} MB; at most ${p.limit} MB are accepted. Save it smaller.`,
    zh: (p) => `文件大小为 ${p.megabytes} MB，上限为 ${p.limit} MB。请压缩后再试。`,
  },
  too_many_pixels: {
    en: (p) =>
      `The picture has ${p.megapixels} megapixels; a ${p.kind} may have at most ${p.limit}. ${p.kind === 'JPEG' ? 'Save it smaller.' : 'Save it as a baseline JPEG, or smaller.'}`,
    zh: (p) =>
      `图片有 ${p.megapixels} 百万像素，${p.kind} 格式的上限为 ${p.limit} 百万。${p.kind === 'JPEG' ? '请缩小图片后再试。' : '请另存为基线 JPEG，或缩小图片。'}`,
  },
  image_too_small: {
    en: (p) =>
      `The picture is only ${p.width} × ${p.height} pixels. Use one of at least ${p.limit} pixels a side.`,
    zh: (p) => `图片只有 ${p.width} × ${p.height} 像素。请使用每边至少 ${p.limit} 像素的照片。`,
  },
  no_face: {
    en: () =>
      'No human face was found. Use a photo of one person who looks into the camera, the whole face in view and evenly lit.',
    zh: () => '未检测到人脸。请使用一张单人正面照片，人物直视镜头，面部完整且光线均匀。',
  },
  several_faces: {
    en: (p) => `${p.count} faces of similar size were found. Crop the photo to the one person you want.`,
    zh: (p) => `检测到 ${p.count} 张大小相近的人脸。请裁剪照片，只保留需要的那个人。`,
  },
  face_too_small: {
    en: (p) =>
      `The face is too small: the eyes' outer corners are ${p.iod} pixels apart, at least ${p.limit} are needed. Use a closer or larger photo.`,
    zh: (p) =>
      `人脸太小：两眼外眼角相距仅 ${p.iod} 像素，至少需要 ${p.limit} 像素。请使用更近或分辨率更高的照片。`,
  },
  face_cut_off: {
    en: () =>
      'The face is cut off by the edge of the photo. Use one in which forehead, chin and both cheeks are in view.',
    zh: () => '人脸被照片边缘裁掉了。请使用额头、下巴和两侧脸颊都完整可见的照片。',
  },
  turned_too_far: {
    en: (p) =>
      `The head is turned ${p.degrees}° ${p.way === 'aside' ? 'to the side' : 'up or down'}; at most ${p.limit}° work. Use a photo that looks straight into the camera.`,
    zh: (p) =>
      `头部向${p.way === 'aside' ? '侧面' : '上或下'}转了 ${p.degrees}°，最多允许 ${p.limit}°。请使用正对镜头的照片。`,
  },
  covered_face: {
    en: (p) => {
      if (p.what === 'eyes')
        return 'The eyes are covered or too dark to see. Take off sunglasses and move hair from the eyes.';
      if (p.what === 'mouth')
        return 'The mouth and nose are covered. Take off the mask and keep hands away from the face.';
      return 'The face is covered or is not a photographed human face. Use a photo with nothing in front of the face.';
    },
    zh: (p) => {
      if (p.what === 'eyes') return '眼睛被遮挡或看不清。请摘下墨镜，并拨开遮住眼睛的头发。';
      if (p.what === 'mouth') return '口鼻被遮挡。请摘下口罩，并不要用手遮挡面部。';
      return '面部被遮挡，或不是真人照片。请使用面部没有遮挡的照片。';
    },
  },
  too_dark: {
    en: (p) =>
      `The face is too dark to see its features: its brightness is ${p.brightness} of 255, at least ${p.limit} is needed. Use a photo with more, and even, light on the face.`,
    zh: (p) =>
      `面部过暗，看不清五官：亮度为 ${p.brightness}（满值 255），至少需要 ${p.limit}。请使用光线更充足、均匀的照片。`,
  },
  too_bright: {
    en: (p) =>
      `The face is overexposed: ${p.percent} % of it is lost in white, at most ${p.limit} % may be. Use a photo with softer light.`,
    zh: (p) => `面部曝光过度：${p.percent} % 的面部已成纯白，最多允许 ${p.limit} %。请使用光线更柔和的照片。`,
  },
  too_blurred: {
    en: (p) =>
      `The face is out of focus or blurred by motion: its blur is ${p.percent} %, at most ${p.limit} % works. Use a sharp photo.`,
    zh: (p) => `面部失焦或有运动模糊：模糊度为 ${p.percent} %，最多允许 ${p.limit} %。请使用清晰的照片。`,
  },
  cancelled: {
    en: () => 'The job was cancelled before the head was done.',
    zh: () => '任务在头模完成之前已被取消。',
  },
  worker_died: {
    en: () =>
      'The engine failed on this photo and has recovered. Try again; if it fails once more, save the photo as a new JPEG.',
    zh: () => '引擎在处理此照片时出错，现已恢复。请重试；如再次失败，请将照片另存为新的 JPEG 后再试。',
  },
  took_too_long: {
    en: (p) => `It took longer than ${p.seconds} seconds. Save the photo as a new JPEG and try again.`,
    zh: (p) => `耗时超过 ${p.seconds} 秒。请将照片另存为新的 JPEG 后再试。`,
  },
  photo_not_kept: {
    en: () => 'The engine keeps no photo of this name. Send its file.',
    zh: () => '引擎未保留该名称的照片。请发送文件。',
  },
  engine_closed: {
    en: () => 'The engine was shut down before the head was done. Submit the photo again.',
    zh: () => '引擎在头模完成之前已关闭。请重新提交照片。',
  },
};

/** One or two sentences for a person: what is wrong with the photo and what to change. */
export function portraitFailMessage(error: PortraitError, language: 'en' | 'zh'): string {
  return sentences[error.code][language](error.params);
}
