import { type Message, t } from '@likeness/messages';
import type { CallOutput, Handlers } from '#contract';
import type { Libraries } from './libraries.ts';
import { verifyLibrary } from './model/model_verification.ts';

export interface FolderCallsOptions {
  libraries: Libraries;
  /** Opens a folder dialog; null if dismissed. */
  chooseFolder: (title: Message) => Promise<string | null>;
  reveal: (path: string) => Promise<void>;
}

/** Implements the calls about libraries themselves: folders, names, integrity. */
export const folderCalls = ({ libraries, chooseFolder, reveal }: FolderCallsOptions) =>
  ({
    libraries: () => libraries.list(),
    async addLibrary({ name }) {
      const folder = await chooseFolder(t('library.choose_folder'));
      return folder === null ? null : libraries.add(folder, name);
    },
    async removeLibrary({ id }) {
      await libraries.remove(id);
      return libraries.list();
    },
    async revealLibrary({ id }) {
      await reveal(libraries.folder(id));
      return undefined;
    },
    async moveLibrary({ id }) {
      libraries.one(id);
      const folder = await chooseFolder(t('library.choose_place'));
      return folder === null ? null : libraries.move(id, folder);
    },
    async changeLibrary({ id, changes: { name, isDefault, keepPhotos } }) {
      if (name !== undefined || keepPhotos !== undefined) {
        await libraries.changeFile(id, (file) => ({
          ...file,
          name: name ?? file.name,
          keepPhotos: keepPhotos ?? file.keepPhotos,
        }));
      }
      if (isDefault) await libraries.makeDefault(id);
      return libraries.list();
    },

    async verify({ libraryId }) {
      const chosen =
        libraryId === undefined
          ? libraries.list().filter((one) => one.available)
          : [libraries.one(libraryId)];
      const all: CallOutput<'library', 'verify'> = { models: 0, problems: [] };
      for (const { id } of chosen) {
        const { models, problems } = await verifyLibrary(libraries, id);
        all.models += models;
        all.problems.push(...problems);
      }
      return all;
    },
    rebuild: async ({ libraryId }) => ({ models: await libraries.rebuild(libraryId) }),
    async checkFolders() {
      await libraries.checkFolders();
      return undefined;
    },
  }) satisfies Partial<Handlers['library']>;
