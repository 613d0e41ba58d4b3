import type { z } from 'zod'

/**
 * Who may make a call. `public`: anyone. `visitor`: anyone, identified if signed in. `user`, `admin`, `root`: at least
 * that role. `operator`: the role that may change options (OPTION_MIN_ROLE). There is no default: a call that omits it
 * does not compile.
 */
export type Access = 'public' | 'visitor' | 'user' | 'admin' | 'operator' | 'root'

/**
 * Rate limit class in addition to the global one (docs/reference/limits.md#console-rates): a bucket per address and
 * class, or per user.
 */
type Limit = 'setup' | 'login' | 'register' | 'mail' | 'oauth' | 'reset' | 'per-user'

/** A call of the console's API; router, client, documentation and tests derive from it. */
export type ApiCall = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Without a trailing slash; the server accepts both forms (docs/reference/api.md#paths-and-queries). */
  path: `/api/${string}`
  /** One English sentence for the API documentation. */
  summary: string
  access: Access
  limit?: Limit
  /** Requires a session: an access token, as stored by programs, is not sufficient to change login methods. */
  isInPerson?: true
  /**
   * A GET with a side effect: requires the user-id header, which other sites' pages cannot send
   * (docs/reference/api.md#same-origin).
   */
  hasEffect?: true
  /** Requires a recent login, because it changes login methods (docs/reference/accounts.md#recent-login). */
  needsRecentLogin?: true
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** Maximum body size in mebibytes; defaults to 1. */
  bodyMebibytes?: number
  /** The body is a file of any kind (application/octet-stream), passed to the handler as a stream. */
  takesFile?: true
  answer: z.ZodType
  /**
   * On a demonstration site: open as `access` says, or to root only. By default GET is open and everything else
   * closed.
   */
  onDemo?: 'open' | 'closed'
  /** Allowed for an account that must set up a second factor first; other calls are not. */
  beforeFactors?: true
  /** No envelope: the response arrives later as the data of one server-sent event. */
  isEvent?: true
  /** No envelope: the response is a streamed file of one of these media types; `answer` is its JSON. */
  sendsFile?: readonly string[]
  /** Top-level envelope fields next to `data`. */
  extras?: z.ZodType
  /** The other envelope format: `message` is `success` or `error`, and the reason is in `data`. */
  messageInData?: true
  /** Failures other than refusals include the `extras` fields, too. */
  failureHasFields?: true
}>

export const call = <const C extends ApiCall>(declared: C): C => declared

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined
type Sent<T> = T extends z.ZodType ? z.input<T> : undefined

/** The parsed request passed to a handler. */
export type ParsedRequest<C extends ApiCall> = {
  params: Parsed<C['params']>
  query: Parsed<C['query']>
  body: Parsed<C['body']>
} & (C['takesFile'] extends true ? { file: SentFile } : unknown)

/** A streamed body: its bytes, and its length if declared. */
export type SentFile = Readonly<{ chunks: AsyncIterable<Uint8Array>; length: number | undefined }>

/** A client's input; absent parts are omitted. */
export type CallInput<C extends ApiCall> = {
  [P in 'params' | 'query' | 'body' as C[P] extends z.ZodType ? P : never]: Sent<C[P]>
}

export type ApiAnswer<C extends ApiCall> = z.input<C['answer']>
/** Top-level fields of a successful envelope other than `data`. */
export type Extras<C extends ApiCall> = C['extras'] extends z.ZodType ? z.input<C['extras']> : undefined
