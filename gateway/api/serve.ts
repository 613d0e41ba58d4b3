import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { z } from 'zod'
import type { ApiAnswer, ApiCall, Beside, ParsedRequest } from '../../shared/api/call.ts'
import type { MessageKey } from '../../shared/messages/en.ts'
import type { Actor, ApiCaller } from './actor.ts'
import type { Later } from './middleware/event.ts'
import type { FileMade } from './middleware/file.ts'

/** Who asks, as the access of a call promises: always somebody, perhaps somebody, or not looked at. */
type ActorOf<C extends ApiCall> = C['access'] extends 'public'
  ? undefined
  : C['access'] extends 'visitor'
    ? Actor | undefined
    : Actor

/** What a handler is given: the parsed parts of the contract, who asks and from where. Never the HTTP context. */
type ServedRequest<C extends ApiCall> = ParsedRequest<C> & Readonly<{ actor: ActorOf<C>; caller: ApiCaller }>

/** A success whose envelope carries a message; made by `saying`. */
type WithMessage<T> = Readonly<{ message: MessageKey; result: T; [isWithMessage]: true }>

/** A failure that still carries the contract's top-level extras; `failed` is shown as it is. */
export type Failed<B> = Readonly<{ failed: string; beside: B }>

/**
 * What a handler answers: `data`, or `{ data, beside }` where the contract has `beside`, or how to wait for it where the
 * answer is an event, or the file that is one. Refusals are thrown.
 */
export type Result<C extends ApiCall> = C['isEvent'] extends true
  ? Later<ApiAnswer<C>>
  : C['sendsFile'] extends readonly string[]
    ? FileMade
    : Enveloped<C>

type Enveloped<C extends ApiCall> = C['beside'] extends z.ZodType
  ? Readonly<{ data: ApiAnswer<C>; beside: Beside<C> }> | (C['failsBeside'] extends true ? Failed<Beside<C>> : never)
  : ApiAnswer<C>

type Handler<C extends ApiCall> = (
  asked: ServedRequest<C>,
) => Result<C> | WithMessage<Result<C>> | Promise<Result<C> | WithMessage<Result<C>> | Packed>

/** A whole envelope that was written and packed before, because many ask for the same; made by `packed`. */
export type Packed = Readonly<{ text: Buffer; gzip: Buffer; [isPacked]: true }>

/** One call with the function that answers it, its types forgotten: what the server mounts. */
export type Served = Readonly<{ call: ApiCall; handle: (asked: ServedRequest<ApiCall>) => unknown }>

const isWithMessage: unique symbol = Symbol('saying')
const isPacked: unique symbol = Symbol('packed')

/**
 * Joins the calls of one area with their handlers; a missing handler or a wrong answer does not compile
 * (docs/reference/api.md#calls). Roles, parsing and the envelope are the server's business.
 */
export const serve = <G extends Readonly<Record<string, ApiCall>>>(
  calls: G,
  handlers: { readonly [K in keyof G]: Handler<G[K]> },
): Served[] =>
  // The server parses by the same contract before it calls, so the handler's own argument type holds.
  Object.entries(calls).map(([name, call]) => ({ call, handle: handlers[name] as unknown as Served['handle'] }))

/** A success with a message for the person, e.g. `return saying('setup.ok', null)`. */
export const withMessage = <T>(message: MessageKey, result: T): WithMessage<T> => ({
  message,
  result,
  [isWithMessage]: true,
})

/** Whether a handler's answer carries a message. */
export const hasMessage = (answer: unknown): answer is WithMessage<unknown> =>
  typeof answer === 'object' && answer !== null && isWithMessage in answer

/** An envelope that was written and packed elsewhere. */
export const packed = ({ text, gzip }: Readonly<{ text: Uint8Array; gzip: Uint8Array }>): Packed => ({
  text: bufferOn(text),
  gzip: bufferOn(gzip),
  [isPacked]: true,
})

const bufferOn = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength)

/** Packs an envelope of JSON text once and well, away from the relay's thread, where many will ask for it. */
export async function packedWell(envelope: string): Promise<Packed> {
  const text = Buffer.from(envelope)
  return packed({ text, gzip: await squeeze(text) })
}

const squeeze = promisify(gzip)

/** Whether a handler's answer is an envelope as it goes out. */
export const wasPacked = (answer: unknown): answer is Packed =>
  typeof answer === 'object' && answer !== null && isPacked in answer
