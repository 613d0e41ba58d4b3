import type { MessageKey } from '../../shared/messages/en.ts'

/** HTTP status of each kind of refusal, used unchanged on relay routes (docs/reference/errors.md#refusals). */
export const statusOf = {
  invalid: 400,
  unauthenticated: 401,
  exhausted: 403,
  forbidden: 403,
  missing: 404,
  slow: 408,
  tooLarge: 413,
  unsupported: 415,
  limited: 429,
  internal: 500,
  notImplemented: 501,
  upstream: 502,
  unavailable: 503,
  timeout: 504,
} as const

type Kind = keyof typeof statusOf
export type Params = Readonly<Record<string, string | number>>

/** Max characters of a value in a message, because a value may be caller input that must not be echoed whole. */
const MAX_VALUE = 500

type Extras = Readonly<{ code?: string; param?: string; retryAfterSeconds?: number; cause?: unknown }>

/**
 * An expected refusal, the only error whose message may reach a client. `key` is a message in shared/messages; `kind`
 * determines the status.
 */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly kind: Kind
  readonly key: MessageKey
  readonly params: Params
  /** The code in an error response; undefined if it has none. */
  readonly code: string | undefined
  readonly param: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(kind: Kind, key: MessageKey, params: Params = {}, extras: Extras = {}) {
    super(key, { cause: extras.cause })
    this.kind = kind
    this.key = key
    this.params = shortened(params)
    this.code = extras.code
    this.param = extras.param
    this.retryAfterSeconds = extras.retryAfterSeconds
  }

  get status(): number {
    return statusOf[this.kind]
  }
}

function shortened(params: Params): Params {
  if (!Object.values(params).some(isLong)) return params
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      isLong(value) ? `${String(value).slice(0, MAX_VALUE)}…` : value,
    ]),
  )
}

const isLong = (value: string | number): boolean => typeof value === 'string' && value.length > MAX_VALUE

export const refuse = (kind: Kind, key: MessageKey, params?: Params, extras?: Extras): GatewayError =>
  new GatewayError(kind, key, params, extras)
