import type { UnreadableAnswer } from './operations/envelope.ts';
import type { CollectedAnswer, WireHead } from './transport/wire.ts';

/** An unusable HTTP answer; thrown by an attempt, explained by the call. */
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

  /** HTTP reports an error. */
  static refused(answer: CollectedAnswer): BadAnswer {
    return new BadAnswer('refused', answer);
  }

  /** HTTP reports success, the envelope a failure. */
  static envelope(answer: WireHead, envelope: { code: number; message: string }): BadAnswer {
    return new BadAnswer('envelope', answer, envelope);
  }

  /** HTTP reports success, but the body can't be read. */
  static unreadable(answer: WireHead & { body?: Buffer }, problem: UnreadableAnswer): BadAnswer {
    return new BadAnswer('unreadable', answer, undefined, problem);
  }
}
