import { z } from 'zod';

export interface Call<I extends z.ZodType, O extends z.ZodType> {
  in: I;
  out: O;
}

export interface Stream<I extends z.ZodType> {
  /** Options for opening; the messages are binary, both ways. */
  in: I;
}

export interface Room {
  calls: Record<string, Call<z.ZodType, z.ZodType>>;
  events: Record<string, z.ZodType>;
  streams: Record<string, Stream<z.ZodType>>;
}

export const call = <I extends z.ZodType, O extends z.ZodType>(input: I, out: O): Call<I, O> => ({
  in: input,
  out,
});

export const nothing = z.undefined();
