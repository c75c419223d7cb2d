export type ScriptFault = 'too_many_words' | 'unknown_phone';

/** A script that can't be read, as one of a closed list, with what a sentence about it needs. */
export class ScriptError extends RangeError {
  readonly fault: ScriptFault;
  readonly params: Readonly<Record<string, string | number>>;

  constructor(fault: ScriptFault, params: Readonly<Record<string, string | number>>) {
    super(`${fault}: ${JSON.stringify(params)}`);
    this.name = 'ScriptError';
    this.fault = fault;
    this.params = params;
  }
}
