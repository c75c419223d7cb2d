/** Letters of a script: hours of speech. */
export const maxScriptCharacters = 1_500_000;
