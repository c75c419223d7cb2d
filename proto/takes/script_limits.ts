/** Letters of a script: hours of speech. */
export const mostScriptCharacters = 1_500_000;
