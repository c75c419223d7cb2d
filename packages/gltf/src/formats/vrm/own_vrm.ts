import { type Message, t } from '@likeness/messages';
import { vrmOf } from '@likeness/proto/heads/head_json.ts';
import type { VrmMeta } from './vrm_meta.ts';

/** Metadata of a VRM file: author, licence and unsupported parts. */
export interface OwnVrm {
  meta: VrmMeta;
  /** Parts that a VRM written from it leaves out. */
  leftOut: readonly Message[];
}

type Json = Readonly<Record<string, unknown>>;
const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
const textsOf = (value: unknown): string[] => listOf(value).map(textOf).filter(Boolean);

/** @param image bytes of one of the file's images */
export function ownVrmOf(json: unknown, image: (index: number) => Uint8Array | null): OwnVrm | null {
  const source = vrmOf(json);
  if (!source) return null;
  const file = objectOf(json);
  const meta = objectOf(source.vrm.meta);
  const picture =
    source.version === '1.0'
      ? meta.thumbnailImage
      : objectOf(listOf(file.textures)[Number(meta.texture)]).source;
  const thumbnail = typeof picture === 'number' ? image(picture) : null;
  return {
    meta: {
      ...(source.version === '1.0' ? metaOf1(meta) : metaOf0(meta)),
      ...(thumbnail && { thumbnail }),
    },
    leftOut: leftOutOf(file, source.vrm),
  };
}

/** Author and licence in a line. */
export const licenceLine = ({
  authors = [],
  copyright,
  licence0,
  otherLicenceUrl,
  licenceUrl,
}: VrmMeta): string =>
  [...authors, copyright, licence0?.licenseName, otherLicenceUrl || licenceUrl].filter(Boolean).join(', ');

/** The one of these that a file says; a word that is none of them grants nothing. */
const oneOf = <Word extends string>(words: readonly Word[], value: unknown): Word | undefined =>
  words.find((word) => word === value);

function metaOf1(meta: Json): VrmMeta {
  return {
    name: textOf(meta.name),
    version: textOf(meta.version),
    authors: textsOf(meta.authors),
    copyright: textOf(meta.copyrightInformation),
    contact: textOf(meta.contactInformation),
    references: textsOf(meta.references),
    thirdPartyLicences: textOf(meta.thirdPartyLicenses),
    licenceUrl: textOf(meta.licenseUrl),
    otherLicenceUrl: textOf(meta.otherLicenseUrl),
    avatarPermission: oneOf(
      ['onlyAuthor', 'onlySeparatelyLicensedPerson', 'everyone'],
      meta.avatarPermission,
    ),
    commercialUsage: oneOf(['personalNonProfit', 'personalProfit', 'corporation'], meta.commercialUsage),
    credit: oneOf(['required', 'unnecessary'], meta.creditNotation),
    modification: oneOf(
      ['prohibited', 'allowModification', 'allowModificationRedistribution'],
      meta.modification,
    ),
    redistribution: meta.allowRedistribution === true,
    violence: meta.allowExcessivelyViolentUsage === true,
    sexual: meta.allowExcessivelySexualUsage === true,
    politicalOrReligious: meta.allowPoliticalOrReligiousUsage === true,
    antisocialOrHate: meta.allowAntisocialOrHateUsage === true,
  };
}

/** Creative Commons licences of VRM 0.x: where their text stands. */
const commons: Readonly<Record<string, string>> = {
  CC0: 'https://creativecommons.org/publicdomain/zero/1.0/',
  CC_BY: 'https://creativecommons.org/licenses/by/4.0/',
  CC_BY_NC: 'https://creativecommons.org/licenses/by-nc/4.0/',
  CC_BY_SA: 'https://creativecommons.org/licenses/by-sa/4.0/',
  CC_BY_NC_SA: 'https://creativecommons.org/licenses/by-nc-sa/4.0/',
  CC_BY_ND: 'https://creativecommons.org/licenses/by-nd/4.0/',
  CC_BY_NC_ND: 'https://creativecommons.org/licenses/by-nc-nd/4.0/',
};

const avatarPermissions: Readonly<Record<string, NonNullable<VrmMeta['avatarPermission']>>> = {
  Everyone: 'everyone',
  ExplicitlyLicensedPerson: 'onlySeparatelyLicensedPerson',
};

/**
 * Converts permissions of 0.x to 1.0, never wider than they were. Commercial use in 0.x doesn't include
 * corporations. A licence with terms elsewhere grants nothing here. A licence that changed versions must keep
 * forbids redistributing them.
 */
function metaOf0(meta: Json): VrmMeta {
  const licence = textOf(meta.licenseName);
  const url = commons[licence];
  const [isNonCommercial, isNoDerivatives, isShareAlike] = ['NC', 'ND', 'SA'].map((part) =>
    licence.split('_').includes(part),
  );
  const permissions = textOf(meta.otherPermissionUrl);
  const other = textOf(meta.otherLicenseUrl);
  const isCommercial = meta.commercialUssageName === 'Allow' && !isNonCommercial;
  return {
    name: textOf(meta.title),
    version: textOf(meta.version),
    authors: [textOf(meta.author)].filter(Boolean),
    contact: textOf(meta.contactInformation),
    references: [textOf(meta.reference), ...(url || other ? [permissions] : [])].filter(Boolean),
    otherLicenceUrl: url ?? (other || permissions),
    avatarPermission: avatarPermissions[textOf(meta.allowedUserName)] ?? 'onlyAuthor',
    commercialUsage: isCommercial ? 'personalProfit' : 'personalNonProfit',
    credit: licence === 'CC0' ? 'unnecessary' : 'required',
    modification:
      !url || isNoDerivatives
        ? 'prohibited'
        : isShareAlike
          ? 'allowModification'
          : 'allowModificationRedistribution',
    redistribution: url !== undefined,
    violence: meta.violentUssageName === 'Allow',
    sexual: meta.sexualUssageName === 'Allow',
    ...(licence && {
      licence0: {
        licenseName: licence,
        otherLicenseUrl: other,
        otherPermissionUrl: permissions,
        commercialUssageName:
          meta.commercialUssageName === 'Allow' ? ('Allow' as const) : ('Disallow' as const),
      },
    }),
  };
}

function leftOutOf(file: Json, vrm: Json): Message[] {
  const extensions = objectOf(file.extensions);
  const nodes = listOf(file.nodes).map((node) => objectOf(objectOf(node).extensions));
  const materials = listOf(file.materials).map((material) => objectOf(objectOf(material).extensions));
  const groups = listOf(objectOf(vrm.blendShapeMaster).blendShapeGroups).map(objectOf);
  const clips = Object.values(objectOf(vrm.expressions)).flatMap((group) => Object.values(objectOf(group)));
  const hasSprings =
    listOf(objectOf(vrm.secondaryAnimation).boneGroups).length > 0 ||
    listOf(objectOf(extensions.VRMC_springBone).springs).length > 0;
  const hasToon =
    materials.some((own) => own.VRMC_materials_mtoon) ||
    listOf(vrm.materialProperties).some((one) => textOf(objectOf(one).shader) === 'VRM/MToon');
  const hasColours =
    groups.some(({ materialValues }) => listOf(materialValues).length > 0) ||
    clips
      .map(objectOf)
      .some((one) => [one.materialColorBinds, one.textureTransformBinds].flatMap(listOf).length > 0);
  return [
    ...(hasSprings ? [t('vrm.left_springs')] : []),
    ...(nodes.some((own) => own.VRMC_node_constraint) ? [t('vrm.left_constraints')] : []),
    ...(hasToon ? [t('vrm.left_toon')] : []),
    ...(hasColours ? [t('vrm.left_colours')] : []),
  ];
}
