import type { z } from 'zod'
import type { Answer, Beside, Call, ParsedRequest } from '../../shared/api/call.ts'
import type { MessageKey } from '../../shared/messages/en.ts'
import type { Actor, Caller } from './actor.ts'
import type { Later } from './middleware/event.ts'

/** Who asks, as the access of a call promises: always somebody, perhaps somebody, or not looked at. */
export type ActorOf<C extends Call> = C['access'] extends 'public'
  ? undefined
  : C['access'] extends 'visitor'
    ? Actor | undefined
    : Actor

/** What a handler is given: the parsed parts of the contract, who asks and from where. Never the HTTP context. */
export type Asked<C extends Call> = ParsedRequest<C> & Readonly<{ actor: ActorOf<C>; caller: Caller }>

/** A success whose envelope carries a message; made by `saying`. */
export type Saying<T> = Readonly<{ message: MessageKey; result: T; [isSaying]: true }>

/** A failure that still carries the contract's top-level extras; `failed` is shown as it is. */
export type Failed<B> = Readonly<{ failed: string; beside: B }>

/**
 * What a handler answers: `data`, or `{ data, beside }` where the contract has `beside`, or how to wait for it where the
 * answer is an event. Refusals are thrown.
 */
export type Result<C extends Call> = C['isEvent'] extends true
  ? Later<Answer<C>>
  : C['beside'] extends z.ZodType
    ? Readonly<{ data: Answer<C>; beside: Beside<C> }> | (C['failsBeside'] extends true ? Failed<Beside<C>> : never)
    : Answer<C>

export type Handler<C extends Call> = (
  asked: Asked<C>,
) => Result<C> | Saying<Result<C>> | Promise<Result<C> | Saying<Result<C>>>

/** One call with the function that answers it, its types forgotten: what the server mounts. */
export type Served = Readonly<{ call: Call; handle: (asked: Asked<Call>) => unknown }>

const isSaying: unique symbol = Symbol('saying')

/**
 * Joins the calls of one area with their handlers; a missing handler or a wrong answer does not compile
 * (docs/reference/api.md#calls). Roles, parsing and the envelope are the server's business.
 */
export const serve = <G extends Readonly<Record<string, Call>>>(
  calls: G,
  handlers: { readonly [K in keyof G]: Handler<G[K]> },
): Served[] =>
  // The server parses by the same contract before it calls, so the handler's own argument type holds.
  Object.entries(calls).map(([name, call]) => ({ call, handle: handlers[name] as unknown as Served['handle'] }))

/** A success with a message for the person, e.g. `return saying('setup.ok', null)`. */
export const saying = <T>(message: MessageKey, result: T): Saying<T> => ({ message, result, [isSaying]: true })

/** Whether a handler's answer carries a message. */
export const says = (answer: unknown): answer is Saying<unknown> =>
  typeof answer === 'object' && answer !== null && isSaying in answer
