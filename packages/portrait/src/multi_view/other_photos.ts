import { type Both, inBoth, t } from '@likeness/messages';
import type { OtherPhoto } from '../contract/head_request.ts';
import { PortraitError, portraitFailMessage } from '../contract/portrait_error.ts';
import type { FaceFit } from '../fit/face_fit.ts';
import type { FaceNetworks } from '../landmarks/face_networks.ts';
import { detectFaces } from '../landmarks/landmarks.ts';
import { decodePhoto, type OpenedPhoto, openPortrait, type Picture } from '../photo/photo.ts';
import { lookCloser } from '../preflight/closer_look.ts';
import { profileSide, turnOf, viewOf } from '../preflight/photo_view.ts';
import { shapedByProfiles } from './profile_shape.ts';
import { fitProfile, type ProfileView } from './profile_view.ts';

/** A further photo that is used, with where the head stands in it. */
export type UsedPhoto = { readonly picture: Picture } & (
  | { readonly kind: 'turned'; readonly fit: FaceFit }
  | ({ readonly kind: 'profile' } & ProfileView)
);

/** Rules that a further photo need not keep: from the side is what it is wanted for. */
const pardoned: ReadonlySet<string> = new Set(['turned_too_far', 'face_too_small']);

/**
 * Reads the further photos of a person beside the fit of the front photo.
 *
 * @returns the face with the depth that profiles show, the photos used, and a report that says why one is left out
 */
export async function combineViews(
  networks: FaceNetworks,
  front: FaceFit,
  others: readonly (Uint8Array | string)[],
): Promise<{ fit: FaceFit; used: UsedPhoto[]; photos: OtherPhoto[] }> {
  const used: UsedPhoto[] = [];
  const photos: OtherPhoto[] = [];
  for (const [i, other] of others.entries()) {
    const index = i + 1;
    let picture: Picture | null = null;
    try {
      const photo = await openPortrait(other);
      picture = await decodePhoto(photo);
      const seen = await readOther(networks, photo, picture, front);
      const { yaw } = seen.kind === 'turned' ? seen.fit.pose : seen.pose;
      used.push(seen);
      photos.push({ index, used: true, view: viewOf(yaw), yaw: Math.round(yaw) });
    } catch (error) {
      const yaw = picture && turnOf(networks, picture);
      const view = yaw === null ? null : viewOf(yaw);
      photos.push({ index, used: false, reason: reasonOf(error), view, yaw: yaw && Math.round(yaw) });
    }
  }
  const profiles = used.filter((one) => one.kind === 'profile');
  return { fit: shapedByProfiles(front, profiles), used, photos };
}

/** A profile doesn't stand out from what is behind it. */
class UnclearProfile extends Error {}

/** Why a photo is left out. @throws the error itself where it is no fault of the photo's */
function reasonOf(error: unknown): Both {
  if (error instanceof UnclearProfile) return inBoth(t('refusal.profile_unclear'));
  if (!(error instanceof PortraitError)) throw error;
  return inBoth(portraitFailMessage(error));
}

/** @throws PortraitError or {@link UnclearProfile} where the photo can't be used */
async function readOther(
  networks: FaceNetworks,
  photo: OpenedPhoto,
  whole: Picture,
  front: FaceFit,
): Promise<UsedPhoto> {
  try {
    const { checked, picture } = await lookCloser(networks, photo, whole, true);
    const { fit, overridden } = checked;
    const fault = overridden.find(({ code }) => !pardoned.has(code));
    if (fault) throw fault;
    return { kind: 'turned', picture, fit };
  } catch (error) {
    const isAside = error instanceof PortraitError && ['no_face', 'turned_too_far'].includes(error.code);
    const [box] = isAside ? detectFaces(networks, whole) : [];
    if (!box || profileSide(box) === 0) throw error;
    const profile = await fitProfile(whole, box, front);
    if (!profile) throw new UnclearProfile();
    return { kind: 'profile', picture: whole, ...profile };
  }
}
