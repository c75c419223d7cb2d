/** An option of commands that read one library or all. */
export const libraryOption = ['--library <folder>', 'library; default: all libraries'] as const;
