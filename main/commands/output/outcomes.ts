import { joinMessages } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { CommandContext } from '../command_context.ts';
import { type ExitCode, exitCodeOfAll, exitCodeOfFailure } from './exit_code.ts';
import { mixed } from './mixed_text.ts';

/** Runs several independent items: a failure is reported and does not stop the next item. */
export interface Outcomes {
  /** Runs one item. @throws any error that is not a Failure, and the signal's reason */
  of(name: string, action: () => Promise<void>): Promise<void>;
  /** At least one item succeeded or failed. */
  done(): void;
  fault(name: string, failure: Failure): void;
  /** Sets the exit code. */
  end(): void;
}

/** @param field - The JSON field that identifies an item */
export function outcomesOf({ result, setExitCode, signal }: CommandContext, field: 'file' | 'id'): Outcomes {
  let count = 0;
  const faults: ExitCode[] = [];
  const fault = (name: string, { code, message, hint, userMessage, advice }: Failure): void => {
    faults.push(exitCodeOfFailure(code));
    result(
      { [field]: name, error: { code, message, hint } },
      mixed`✗ ${name}: ${joinMessages(userMessage, advice)}`,
    );
  };
  return {
    async of(name, action) {
      try {
        await action();
        count += 1;
      } catch (error) {
        if (!(error instanceof Failure) || signal.aborted) throw error;
        fault(name, error);
      }
    },
    done() {
      count += 1;
    },
    fault,
    end() {
      const code = exitCodeOfAll(count, faults);
      if (code !== 0) setExitCode(code);
    },
  };
}
