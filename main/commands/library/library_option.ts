/** Of commands that look into one library or into all. */
export const libraryOption = ['--library <folder>', 'library; default: all that the studio knows'] as const;
