import type { Meta as Meta0 } from '@pixiv/types-vrm-0.0';
import type { Meta as Meta1 } from '@pixiv/types-vrmc-vrm-1.0';
import type { LikenessRecord } from '../../library/model/likeness_record.ts';

/** Metadata and permissions of a VRM. Permissions left out are denied. */
export interface VrmMeta {
  name: string;
  version?: string;
  authors?: readonly string[];
  copyright?: string;
  contact?: string;
  references?: readonly string[];
  /** Who may appear as this avatar. Default: the author alone. */
  avatarPermission?: 'onlyAuthor' | 'onlySeparatelyLicensedPerson' | 'everyone';
  /** Default: personal use, without profit. */
  commercialUsage?: 'personalNonProfit' | 'personalProfit' | 'corporation';
  /** Whether the author is to be named. Default: yes. */
  credit?: 'required' | 'unnecessary';
  /** Default: no. */
  modification?: 'prohibited' | 'allowModification' | 'allowModificationRedistribution';
  redistribution?: boolean;
  violence?: boolean;
  sexual?: boolean;
  politicalOrReligious?: boolean;
  antisocialOrHate?: boolean;
  /** Of a licence of the author's own, which goes beyond what is said here. */
  otherLicenceUrl?: string;
  /** A square picture: PNG, JPEG or WebP. */
  thumbnail?: Uint8Array;
}

/** The licence that every VRM 1.0 points to; what it allows is said by the other fields. */
const licenceOfVrm = 'https://vrm.dev/licenses/1.0/';
const nobody = 'unknown';

export function meta1(meta: VrmMeta, thumbnailImage: number | null): Meta1 {
  return {
    name: meta.name,
    version: meta.version ?? '1.0',
    authors: meta.authors?.length ? [...meta.authors] : [nobody],
    ...(meta.copyright && { copyrightInformation: meta.copyright }),
    ...(meta.contact && { contactInformation: meta.contact }),
    ...(meta.references?.length && { references: [...meta.references] }),
    ...(thumbnailImage !== null && { thumbnailImage }),
    licenseUrl: licenceOfVrm,
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
  };
}

/** 0.x knows fewer words: what it can't say is forbidden by its licence, `Redistribution_Prohibited`. */
export function meta0(meta: VrmMeta, texture: number | null): Meta0 {
  const allowed = (yes: boolean | undefined): 'Allow' | 'Disallow' => (yes ? 'Allow' : 'Disallow');
  return {
    title: meta.name,
    version: meta.version ?? '1.0',
    author: meta.authors?.length ? meta.authors.join(', ') : nobody,
    contactInformation: meta.contact ?? '',
    reference: meta.references?.join('\n') ?? '',
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
    commercialUssageName: allowed((meta.commercialUsage ?? 'personalNonProfit') !== 'personalNonProfit'),
    licenseName: meta.otherLicenceUrl && meta.redistribution ? 'Other' : 'Redistribution_Prohibited',
    otherLicenseUrl: (meta.redistribution && meta.otherLicenceUrl) || '',
    otherPermissionUrl: meta.otherLicenceUrl ?? '',
  };
}

/**
 * What the library knows of a head, in VRM's words. The record says who consented, on what basis and until
 * when, and nothing of licences: all permissions stay at their narrowest, and the consent is in a field that
 * people read.
 */
export function metaOfRecord(
  {
    name,
    consent,
    createdAt,
    source,
    fileName,
  }: Pick<LikenessRecord, 'name' | 'consent' | 'createdAt' | 'source' | 'fileName'>,
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
