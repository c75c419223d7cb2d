import { readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { isThere } from '@likeness/node-kit/storage/named_file.ts';
import { glbVersion } from '@likeness/proto/glb_header.ts';
import { defaultHeads } from '@likeness/proto/heads/default_heads.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { VideoOptions } from '#contract';
import {
  type FilmPictureFit,
  filmPictureFits,
  plainBackground,
  transparent,
  type VideoFormat,
  videoCameras,
  videoDetails,
  videoFormats,
  videoFramings,
  videoRates,
} from '#contract/video_options.ts';
import type { Studio } from '../studio.ts';
import type { FilmHead, FilmOrder } from '../takes/video/film_order.ts';
import type { CommandContext } from './command_context.ts';
import { withExamples } from './output/examples.ts';
import { mixed } from './output/mixed_text.ts';
import { outcomesOf } from './output/outcomes.ts';
import { filmPresetNamed, withPreset } from './presets.ts';
import { renderFilm } from './takes/render_film.ts';

interface VideoFlags {
  out: string;
  all: boolean;
  /** Formats of the files in the folder `out`. */
  name?: string;
  head?: string;
  preset?: string;
  format?: VideoFormat;
  size: { width: number; height: number };
  rate: VideoOptions['rate'];
  framing: VideoOptions['framing'];
  camera: VideoOptions['camera'];
  background: string;
  backgroundImage?: string;
  backgroundFit: FilmPictureFit;
  alpha: boolean;
  detail: VideoOptions['detail'];
  subtitles: boolean;
  overwrite: boolean;
}

/** `likeness video <takes…>`: films one take, or several into a folder. */
export function addVideoCommand(program: Command, context: CommandContext): void {
  withExamples(
    program
      .command('video [takes...]')
      .description(
        'render takes on a head as video, frame by frame: WebM, MP4, or a PNG sequence with its sound',
      ),
    'video <id> --head <id> --size 1080x1920 --alpha -o x.webm',
    'video <id> --camera turntable --framing head --background "#1f2426" -o x.mp4',
    'video <id> --background-image studio.jpg -o x.mp4',
    'video <id> --rate 25 --alpha -o frames/     # PNG and WAV; goes on where it was ended',
    'video <id> --preset short --subtitles -o x.mp4',
    "video --all --format mp4 --name '{number:3} {name}' -o films",
  )
    .requiredOption(
      '-o, --out <path>',
      'file to write: .webm, .mp4, or a folder for PNG; for several takes, the folder of the videos',
    )
    .option('--all', 'all takes', false)
    .option(
      '--name <pattern>',
      'file names in the folder, from {name} {take} {rate} {number} {date} {today} {id}; default: {name}',
    )
    .option(
      '--head <head>',
      'a head’s id in the library, a GLB file, or default, man or stylised; default: the one it was made with',
    )
    .option(
      '--preset <preset>',
      'short, 1080p, obs, or a preset saved in the studio; other options override it',
    )
    .addOption(
      new Option(
        '--format <format>',
        'video format; default: by the extension of the path, otherwise webm',
      ).choices(videoFormats),
    )
    .option('--size <size>', 'width and height, even numbers of pixels', sizeOf, { width: 1280, height: 720 })
    .addOption(new Option('--rate <rate>', 'frames a second').choices(videoRates).default('30'))
    .addOption(
      new Option('--framing <framing>', 'framing of the head').choices(videoFramings).default('bust'),
    )
    .addOption(new Option('--camera <camera>', 'camera angle').choices(videoCameras).default('front'))
    .option('--background <colour>', 'background colour, as #rrggbb', plainBackground)
    .option('--background-image <file>', 'background picture: JPEG, HEIC, PNG, WebP, AVIF, TIFF or GIF')
    .addOption(
      new Option(
        '--background-fit <fit>',
        'cover: fill the frame and crop the picture; contain: show the whole picture on the background colour',
      )
        .choices(filmPictureFits)
        .default('cover'),
    )
    .option('--alpha', 'transparent background (WebM and PNG)', false)
    .addOption(
      new Option('--detail <detail>', 'render quality; auto: by the graphics hardware')
        .choices(videoDetails)
        .default('auto'),
    )
    .option('--subtitles', 'draw the take’s words as subtitles; a take without a transcript has none', false)
    .option('--overwrite', 'overwrite a file of the same name', false)
    .action((ids: string[], given: VideoFlags, command: Command) => {
      if (ids.length > 0 === given.all)
        throw new Failure('invalid_input', t('cli.say_which_takes'), { hint: t('cli.list_takes') });
      return context.withStudio(async (studio) => {
        const isGiven = (name: string): boolean => command.getOptionValueSource(name) === 'cli';
        const preset = given.preset === undefined ? null : filmPresetNamed(given.preset, studio.settings());
        const flags = preset ? withPreset(given, preset, isGiven) : given;
        const known = (await studio.handlers.takes.list(undefined)).map(({ id }) => id);
        const takes = flags.all ? known : [...new Set(ids)];
        const isFolder = flags.all || takes.length > 1 || flags.name !== undefined;
        const options = optionsOf(
          isFolder ? { ...flags, format: flags.format ?? 'webm' } : flags,
          await pictureOf(studio, flags, context.path),
        );
        const outcomes = outcomesOf(context, 'id');
        const filmOne = async (take: string, path: string): Promise<void> => {
          const order: FilmOrder = {
            takeId: take,
            head: await headOf(studio, take, flags.head, context.path),
            options,
            destination: { kind: 'path', path, overwrite: flags.overwrite },
          };
          const { at } = await renderFilm(studio, order, context);
          context.success({ take, written: at }, mixed`✓ ${at}`);
        };
        const [only] = takes;
        if (!isFolder && only !== undefined) return filmOne(only, context.path(flags.out));
        const there = takes.filter((id) => known.includes(id));
        const names = studio.films.namesOf(there, flags.name ?? '{name}', options.rate);
        const ending = options.format === 'png' ? '' : `.${options.format}`;
        for (const take of takes)
          await outcomes.of(take, () =>
            filmOne(take, join(context.path(flags.out), `${names.get(take) ?? take}${ending}`)),
          );
        outcomes.end();
      });
    });
}

/** @throws Failure `invalid_input`, `not_found`, `storage` */
async function pictureOf(
  { pictures }: Studio,
  { backgroundImage, backgroundFit: fit, alpha }: VideoFlags,
  path: CommandContext['path'],
): Promise<VideoOptions['picture']> {
  if (backgroundImage === undefined) return null;
  if (alpha) throw new Failure('invalid_input', t('film.picture_or_alpha'));
  const file = path(backgroundImage);
  if (!isThere(file)) throw new Failure('not_found', t('film.no_picture_file', { file: backgroundImage }));
  const { id } = await pictures.add({ path: file, name: basename(file), temporary: false });
  return { id, fit };
}

/** @throws Failure `invalid_input` */
function optionsOf(flags: VideoFlags, picture: VideoOptions['picture']): VideoOptions {
  const { size, rate, framing, camera, detail, subtitles, alpha, background, out } = flags;
  const ending = extname(out).slice(1).toLowerCase();
  const format = flags.format ?? videoFormats.find((one) => one === ending) ?? (ending === '' ? 'png' : null);
  if (format === null)
    throw new Failure('invalid_input', t('film.unknown_ending', { ending: `.${ending}` }), {
      hint: t('film.known_endings'),
    });
  const parsed = VideoOptions.safeParse({
    ...size,
    format,
    rate,
    framing,
    camera,
    detail,
    subtitles,
    background: alpha ? transparent : background,
    picture,
  });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Failure('invalid_input', mixed`--${String(issue?.path[0] ?? '')}: ${issue?.message ?? ''}`);
}

/** @throws Failure `not_found`, `invalid_input` */
async function headOf(
  { handlers, asset }: Studio,
  take: string,
  head: string | undefined,
  path: CommandContext['path'],
): Promise<FilmHead> {
  const known = await handlers.takes.list(undefined);
  const found = known.find(({ id }) => id === take);
  if (!found) throw new Failure('not_found', t('cli.no_take', { id: take }), { hint: t('cli.list_takes') });
  if (head === undefined) return { modelId: found.model || null };
  if (isThere(path(head))) {
    const bytes = await readFile(path(head));
    if (glbVersion(bytes) !== 2) throw new Failure('invalid_input', t('film.no_glb', { file: head }));
    return { bytes };
  }
  const own = defaultHeads.find((name) => name === head);
  if (own) return { own };
  if (await asset('model', head)) return { modelId: head };
  throw new Failure('not_found', t('cli.no_head', { head }), { hint: t('cli.name_glb') });
}

function sizeOf(text: string): { width: number; height: number } {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/i.exec(text) ?? [];
  if (!width || !height) throw new InvalidArgumentError('width and height, as 1080x1920');
  return { width: Number(width), height: Number(height) };
}
