import type { UnreadableAnswer } from './operations/envelope.ts';
import type { CollectedAnswer, WireHead } from './transport/wire.ts';

/** An HTTP answer that is not what was asked for; thrown by an attempt, explained by the call. */
export class BadAnswer extends Error {
  readonly kind: 'refused' | 'envelope' | 'unreadable';
  readonly answer: WireHead & { body?: Buffer };
  readonly envelope: { code: number; message: string } | undefined;
  readonly problem: UnreadableAnswer | undefined;

  private constructor(
    kind: BadAnswer['kind'],
    answer: WireHead & { body?: Buffer },
    envelope?: { code: number; message: string },
    problem?: UnreadableAnswer,
  ) {
    super(kind);
    this.name = 'BadAnswer';
    this.kind = kind;
    this.answer = answer;
    this.envelope = envelope;
    this.problem = problem;
  }

  /** HTTP says no. */
  static refused(answer: CollectedAnswer): BadAnswer {
    return new BadAnswer('refused', answer);
  }

  /** HTTP says yes, the envelope no. */
  static envelope(answer: WireHead, envelope: { code: number; message: string }): BadAnswer {
    return new BadAnswer('envelope', answer, envelope);
  }

  /** HTTP says yes, but what it brought can't be read. */
  static unreadable(answer: WireHead & { body?: Buffer }, problem: UnreadableAnswer): BadAnswer {
    return new BadAnswer('unreadable', answer, undefined, problem);
  }
}
