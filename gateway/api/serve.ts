import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { z } from 'zod'
import type { ApiAnswer, ApiCall, Extras, ParsedRequest } from '../../shared/api/call.ts'
import type { MessageKey } from '../../shared/messages/en.ts'
import type { Actor, ApiCaller } from './actor.ts'
import type { Later } from './middleware/event.ts'
import type { FileMade } from './middleware/file.ts'

/** The actor, by the access of a call: never determined (`public`), optional (`visitor`), or always set. */
type ActorOf<C extends ApiCall> = C['access'] extends 'public'
  ? undefined
  : C['access'] extends 'visitor'
    ? Actor | undefined
    : Actor

/** A handler's input: the parsed parts of the contract, the actor and the caller, but never the HTTP context. */
type ServedRequest<C extends ApiCall> = ParsedRequest<C> & Readonly<{ actor: ActorOf<C>; caller: ApiCaller }>

/** A success with a message; created by `withMessage`. */
type WithMessage<T> = Readonly<{ message: MessageKey; result: T; [isWithMessage]: true }>

/** A failure with the contract's top-level extras; `failed` is shown as is. */
export type Failed<B> = Readonly<{ failed: string; extras: B }>

/**
 * A handler's result: a subscription for an event, a file, `{ data, extras }` (or `Failed`, if allowed) if the contract
 * has `extras`, otherwise the data. Handlers throw refusals.
 */
type Result<C extends ApiCall> = C['isEvent'] extends true
  ? Later<ApiAnswer<C>>
  : C['sendsFile'] extends readonly string[]
    ? FileMade
    : Enveloped<C>

type Enveloped<C extends ApiCall> = C['extras'] extends z.ZodType
  ?
      | Readonly<{ data: ApiAnswer<C>; extras: Extras<C> }>
      | (C['failureHasFields'] extends true ? Failed<Extras<C>> : never)
  : ApiAnswer<C>

type Handler<C extends ApiCall> = (
  request: ServedRequest<C>,
) => Result<C> | WithMessage<Result<C>> | Promise<Result<C> | WithMessage<Result<C>> | Packed>

/** An envelope serialized and compressed in advance, for many requests; created by `packed`. */
export type Packed = Readonly<{ text: Buffer; gzip: Buffer; [isPacked]: true }>

/** A call with its handler, without their types, as mounted by the server. */
export type Served = Readonly<{ call: ApiCall; handle: (request: ServedRequest<ApiCall>) => unknown }>

const isWithMessage: unique symbol = Symbol('saying')
const isPacked: unique symbol = Symbol('packed')

/**
 * Joins the calls of one area with their handlers; a missing handler or a wrong result does not compile
 * (docs/reference/api.md#calls). The server handles roles, parsing and the envelope.
 */
export const serve = <G extends Readonly<Record<string, ApiCall>>>(
  calls: G,
  handlers: { readonly [K in keyof G]: Handler<G[K]> },
): Served[] =>
  // The server parses by the same contract before it calls, so the handler's argument type holds.
  Object.entries(calls).map(([name, call]) => ({ call, handle: handlers[name] as unknown as Served['handle'] }))

/** A success with a message for the user, e.g. `return withMessage('setup.ok', null)`. */
export const withMessage = <T>(message: MessageKey, result: T): WithMessage<T> => ({
  message,
  result,
  [isWithMessage]: true,
})

export const hasMessage = (answer: unknown): answer is WithMessage<unknown> =>
  typeof answer === 'object' && answer !== null && isWithMessage in answer

/** An envelope serialized and compressed elsewhere. */
export const packed = ({ text, gzip }: Readonly<{ text: Uint8Array; gzip: Uint8Array }>): Packed => ({
  text: bufferOn(text),
  gzip: bufferOn(gzip),
  [isPacked]: true,
})

const bufferOn = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength)

/** Compresses an envelope of JSON text once, outside the relay's thread, for many requests. */
export async function packedWell(envelope: string): Promise<Packed> {
  const text = Buffer.from(envelope)
  return packed({ text, gzip: await squeeze(text) })
}

const squeeze = promisify(gzip)

export const wasPacked = (answer: unknown): answer is Packed =>
  typeof answer === 'object' && answer !== null && isPacked in answer
