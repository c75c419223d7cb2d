import type { Meta as Meta0 } from '@pixiv/types-vrm-0.0';
import type { Meta as Meta1 } from '@pixiv/types-vrmc-vrm-1.0';

/** Metadata and permissions of a VRM. Permissions left out are denied. */
export interface VrmMeta {
  name: string;
  version?: string | undefined;
  authors?: readonly string[] | undefined;
  copyright?: string | undefined;
  contact?: string | undefined;
  references?: readonly string[] | undefined;
  /** People who may appear as this avatar. Default: the author alone. */
  avatarPermission?: 'onlyAuthor' | 'onlySeparatelyLicensedPerson' | 'everyone' | undefined;
  /** Default: personal use, without profit. */
  commercialUsage?: 'personalNonProfit' | 'personalProfit' | 'corporation' | undefined;
  /** Whether users must credit the author. Default: yes. */
  credit?: 'required' | 'unnecessary' | undefined;
  /** Default: no. */
  modification?: 'prohibited' | 'allowModification' | 'allowModificationRedistribution' | undefined;
  redistribution?: boolean | undefined;
  violence?: boolean | undefined;
  sexual?: boolean | undefined;
  politicalOrReligious?: boolean | undefined;
  antisocialOrHate?: boolean | undefined;
  /** A custom licence of the author that grants more than these fields. */
  otherLicenceUrl?: string | undefined;
  /** URL of the licence's text; default: VRM's own. */
  licenceUrl?: string | undefined;
  thirdPartyLicences?: string | undefined;
  /** Licence terms of a VRM 0.x, kept for writing 0.x again; 1.0 has other fields. */
  licence0?:
    | (Pick<Meta0, 'otherLicenseUrl' | 'otherPermissionUrl'> & {
        licenseName: string;
        commercialUssageName: 'Allow' | 'Disallow';
      })
    | undefined;
  /** A square picture: PNG, JPEG or WebP. */
  thumbnail?: Uint8Array | undefined;
}

/** The part of a head's library record that a VRM can hold. */
export interface RecordedHead {
  name: string;
  consent: { who: string; basis: string; until: number | null };
  /** Milliseconds since 1970; 0: unknown. */
  createdAt: number;
  source: 'portrait' | 'import';
  fileName: string;
}

/** The licence that every VRM 1.0 refers to; the other fields define the permissions. */
const licenceOfVrm = 'https://vrm.dev/licenses/1.0/';
const nobody = 'unknown';

export function meta1(meta: VrmMeta, thumbnailImage: number | null): Meta1 {
  return {
    name: meta.name,
    version: meta.version || '1.0',
    authors: meta.authors?.length ? [...meta.authors] : [nobody],
    ...(meta.copyright && { copyrightInformation: meta.copyright }),
    ...(meta.contact && { contactInformation: meta.contact }),
    ...(meta.references?.length && { references: [...meta.references] }),
    ...(thumbnailImage !== null && { thumbnailImage }),
    licenseUrl: meta.licenceUrl || licenceOfVrm,
    avatarPermission: meta.avatarPermission ?? 'onlyAuthor',
    allowExcessivelyViolentUsage: meta.violence ?? false,
    allowExcessivelySexualUsage: meta.sexual ?? false,
    commercialUsage: meta.commercialUsage ?? 'personalNonProfit',
    allowPoliticalOrReligiousUsage: meta.politicalOrReligious ?? false,
    allowAntisocialOrHateUsage: meta.antisocialOrHate ?? false,
    creditNotation: meta.credit ?? 'required',
    allowRedistribution: meta.redistribution ?? false,
    modification: meta.modification ?? 'prohibited',
    ...(meta.otherLicenceUrl && { otherLicenseUrl: meta.otherLicenceUrl }),
    ...(meta.thirdPartyLicences && { thirdPartyLicenses: meta.thirdPartyLicences }),
  };
}

/**
 * Metadata of 0.x, which has fewer fields: permissions that it can't express are denied by its licence,
 * `Redistribution_Prohibited`.
 */
export function meta0(meta: VrmMeta, texture: number | null): Meta0 {
  const allowed = (yes: boolean | undefined): 'Allow' | 'Disallow' => (yes ? 'Allow' : 'Disallow');
  return {
    title: meta.name,
    version: meta.version || '1.0',
    author: meta.authors?.length ? meta.authors.join(', ') : nobody,
    contactInformation: meta.contact ?? '',
    reference: [...(meta.references ?? []), ...(meta.copyright ? [meta.copyright] : [])]
      .filter((line) => line !== meta.licence0?.otherPermissionUrl)
      .join('\n'),
    texture: texture ?? -1,
    allowedUserName: (
      {
        onlyAuthor: 'OnlyAuthor',
        onlySeparatelyLicensedPerson: 'ExplicitlyLicensedPerson',
        everyone: 'Everyone',
      } as const
    )[meta.avatarPermission ?? 'onlyAuthor'],
    violentUssageName: allowed(meta.violence),
    sexualUssageName: allowed(meta.sexual),
    // 0.x doesn't distinguish a person's profit from a corporation's.
    commercialUssageName: allowed(meta.commercialUsage === 'corporation'),
    licenseName: meta.otherLicenceUrl && meta.redistribution ? 'Other' : 'Redistribution_Prohibited',
    otherLicenseUrl: (meta.redistribution && meta.otherLicenceUrl) || '',
    otherPermissionUrl: meta.otherLicenceUrl ?? '',
    ...(meta.licence0 as Partial<Meta0> | undefined),
  };
}

/**
 * Returns the metadata of a new VRM from a head that is a VRM: the author and permissions stay as the author
 * wrote them. The studio adds its own facts (consent, references), and fills fields that the author left
 * empty.
 */
export function metaOfOwn(about: VrmMeta, own: VrmMeta): VrmMeta {
  const all = (name: 'copyright' | 'thirdPartyLicences'): string =>
    [own[name], about[name]].filter(Boolean).join(' ');
  return {
    ...own,
    name: own.name || about.name,
    version: own.version || about.version,
    authors: own.authors?.length ? own.authors : about.authors,
    copyright: all('copyright'),
    references: [...new Set([...(own.references ?? []), ...(about.references ?? [])])],
    thumbnail: about.thumbnail ?? own.thumbnail,
  };
}

/**
 * Converts the library's consent record of a head to VRM's fields. The record has who consented, on what
 * basis and until when, but no licence. So all permissions stay at their narrowest, and the consent goes into
 * a human-readable field.
 */
export function metaOfRecord(
  { name, consent, createdAt, source, fileName }: RecordedHead,
  thumbnail?: Uint8Array,
): VrmMeta {
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
  const consented = [
    consent.who && `Likeness of ${consent.who}`,
    consent.basis && `used by consent: ${consent.basis}`,
    consent.until !== null && `until ${day(consent.until)}`,
  ].filter(Boolean);
  return {
    name,
    ...(createdAt > 0 && { version: day(createdAt) }),
    ...(consent.who && { authors: [consent.who] }),
    ...(consented.length > 0 && { copyright: `${consented.join(', ')}.` }),
    ...(source === 'import' && fileName && { references: [fileName] }),
    ...(thumbnail && { thumbnail }),
  };
}
