import type { z } from 'zod'

/**
 * Who may make a call. `public`: anybody. `visitor`: anybody, told apart when signed in. `user`, `admin`, `root`: at least
 * that role. `operator`: the role that may change options (OPTION_MIN_ROLE). There is no default: a call without it does not compile.
 */
export type Access = 'public' | 'visitor' | 'user' | 'admin' | 'operator' | 'root'

/**
 * Rate-limit class beside the global one (docs/reference/limits.md#console-rates): a bucket per address and family, or
 * per user.
 */
export type Limit = 'setup' | 'login' | 'register' | 'mail' | 'oauth' | 'reset' | 'per-user'

/** One call of the console's API: the router, the client, the documents and the tests all derive from it. */
export type ApiCall = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Without a trailing slash; the server answers with and without one (docs/reference/api.md#paths-and-queries). */
  path: `/api/${string}`
  /** What the call does, in one English sentence for who reads the API's documents. */
  summary: string
  access: Access
  limit?: Limit
  /** Takes somebody who has logged in: an access token, which programs keep, is not enough for what an account is opened by. */
  isInPerson?: true
  /** A GET that does something: it takes the user-id header, which no page of another site can send (docs/reference/api.md#same-origin). */
  hasEffect?: true
  /** Takes who has logged in a moment ago: it changes by what an account is opened (docs/reference/accounts.md#a-recent-login). */
  needsRecentLogin?: true
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** Mebibytes that the body may have; 1 unless told otherwise. */
  bodyMebibytes?: number
  /** The body is a file of any kind (application/octet-stream), which the handler is given as it comes. */
  takesFile?: true
  /** What `data` of the envelope holds. */
  answer: z.ZodType
  /** On a site for demonstration: open to whom `access` says, or to root alone. A GET is open and all else closed, unless said here. */
  onDemo?: 'open' | 'closed'
  /** Open to an account that must have a second factor and has none yet; without it a call is closed to such. */
  beforeFactors?: true
  /** There is no envelope: the answer comes later, as the data of one server-sent event. */
  isEvent?: true
  /** There is no envelope: the answer is a file of one of these media types, sent while it is made; `answer` is its JSON. */
  sendsFile?: readonly string[]
  /** Fields that stand beside `data` at the top level of the envelope. */
  beside?: z.ZodType
  /** The family's other envelope: `message` is `success` or `error`, and why stands in `data`. */
  messageInData?: true
  /** A failure that is no refusal carries those fields as well. */
  failsBeside?: true
}>

/** Declares a call, keeping its exact types. */
export const call = <const C extends ApiCall>(declared: C): C => declared

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined
type Sent<T> = T extends z.ZodType ? z.input<T> : undefined

/** What a handler is given, after parsing. */
export type ParsedRequest<C extends ApiCall> = {
  params: Parsed<C['params']>
  query: Parsed<C['query']>
  body: Parsed<C['body']>
} & (C['takesFile'] extends true ? { file: SentFile } : unknown)

/** A body that is taken as it comes: its bytes, and how many there will be where that was said. */
export type SentFile = Readonly<{ chunks: AsyncIterable<Uint8Array>; length: number | undefined }>

/** What a client passes; absent parts are left out. */
export type CallInput<C extends ApiCall> = {
  [P in 'params' | 'query' | 'body' as C[P] extends z.ZodType ? P : never]: Sent<C[P]>
}

/** `data` of a successful envelope. */
export type ApiAnswer<C extends ApiCall> = z.input<C['answer']>
/** The top-level extras of a successful envelope. */
export type Beside<C extends ApiCall> = C['beside'] extends z.ZodType ? z.input<C['beside']> : undefined
