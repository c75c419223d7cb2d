/** How large the inputs of a test are: `npm run test:long` sets LIKENESS_TEST_LONG, `npm test` does not. */
export const isLongRun = process.env.LIKENESS_TEST_LONG === '1';

/** The size for `npm test`, or the one for `npm run test:long`: the same test then runs with more input. */
export const sized = <T>(short: T, long: T): T => (isLongRun ? long : short);
