export type ScriptFault = 'too_many_words' | 'unknown_phone';

/** An unreadable script: a code from a closed list, with the values for its message. */
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
