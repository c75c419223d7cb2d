/**
 * Names for the landmarks that are used one by one: vertices of MediaPipe's Face Mesh
 * (canonical_face_model.obj in google-ai-edge/mediapipe, Apache-2.0). Right and left are the subject's.
 * Groups of them stand in face_topology.ts.
 */
export const landmark = {
  /** Highest point of the face's outline, in the middle below the hairline. */
  foreheadTop: 10,
  foreheadMiddle: 151,
  /** Between the brows, and a little below that. */
  glabella: 9,
  glabellaLower: 8,
  noseBridgeLower: 5,
  noseTip: 4,
  noseTipLower: 1,
  /** Where the nose meets the upper lip: about as high as the ears' lobes. */
  subnasale: 2,
  philtrum: 164,
  leftNostrilInner: 326,
  leftNostrilOuter: 327,
  leftNoseWing: 358,
  leftNoseSide: 417,
  /** Lowest point of the face's outline. */
  chin: 152,
  belowLowerLip: 18,
  /** Outermost points of the outline, before the ears. */
  rightTragus: 234,
  leftTragus: 454,
  rightEyeOuter: 33,
  rightEyeInner: 133,
  leftEyeInner: 362,
  leftEyeOuter: 263,
  leftUpperLid: 258,
  leftUnderEye: 253,
  rightBrowPeak: 105,
  leftBrowPeak: 334,
  leftCheek: 425,
  /** Corners of the mouth, at the lips' outer edge and at the inner one. */
  rightMouthCorner: 61,
  leftMouthCorner: 291,
  rightMouthCornerInner: 78,
  leftMouthCornerInner: 308,
  /** Middle of the lips' inner edges. */
  upperLipInner: 13,
  lowerLipInner: 14,
} as const;
