import type { IncomingHttpHeaders } from 'node:http'
import { refuse } from '../../base/errors.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { ModelRates, RateTicket } from '../../limits/model-rates.ts'
import type { Caller, Requester } from '../model/caller.ts'
import type { RequestContext } from '../model/request-context.ts'
import type { Identities } from './identify.ts'

/** Authenticates the key of a request; throws the refusals of docs/reference/errors.md#refusals. */
export function requesterOf(identities: Identities, context: RequestContext): MaybePromise<Requester> {
  const sent = keyFrom(context.request.headers, context.path, context.query)
  if (!sent) throw refuse('unauthenticated', 'relay.noToken', {}, { code: 'no_api_key' })
  const { suffix } = sent
  const found = identities.byKey(sent.key, context.at)
  return found instanceof Promise ? found.then((caller) => ({ caller, suffix })) : { caller: found, suffix }
}

/** `suffix` is the channel that an administrator forces (`sk-<key>-<channel id>`). */
type SentKey = Readonly<{ key: string; suffix: string | null }>

/**
 * Reads the key from the first location that applies (docs/reference/endpoints.md#api-key): the WebSocket subprotocol,
 * else the header or query parameter of the path's vendor, else `Authorization` (`Bearer` in any letter case), else
 * `mj-api-secret`. Returns null if none was sent.
 */
export function keyFrom(headers: IncomingHttpHeaders, path: string, query: string): SentKey | null {
  const raw = special(headers, path, query) || bare(headers.authorization) || bare(first(headers['mj-api-secret']))
  if (!raw) return null
  const [key = '', suffix] = (raw.startsWith('sk-') ? raw.slice(3) : raw).split('-')
  return key ? { key, suffix: suffix ?? null } : null
}

function special(headers: IncomingHttpHeaders, path: string, query: string): string {
  const protocols = headers['sec-websocket-protocol']
  if (protocols) {
    const item = protocols
      .split(',')
      .map((entry) => entry.trim())
      .find((entry) => entry.startsWith(SOCKET_KEY))
    if (item) return item.slice(SOCKET_KEY.length)
  }
  const isModels = path.startsWith('/v1/models')
  const key = path.startsWith('/v1/messages') || isModels ? bare(first(headers['x-api-key'])) : ''
  if (key) return key
  return path.startsWith('/v1beta/') || path.startsWith('/ws/google.') || isModels ? googleKey(headers, query) : ''
}

const googleKey = (headers: IncomingHttpHeaders, query: string): string =>
  bare(first(headers['x-goog-api-key'])) || (query === '' ? '' : bare(new URLSearchParams(query).get('key')))

const SOCKET_KEY = 'openai-insecure-api-key.'

const BEARER = /^bearer(\s|$)/i

/** Strips `Bearer` in any letter case; empty for the placeholder `midjourney-proxy`. */
function bare(value: string | null | undefined): string {
  const text = (value ?? '').trim()
  const key = BEARER.test(text) ? text.slice('bearer'.length).trim() : text
  return key === 'midjourney-proxy' ? '' : key
}

const first = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

export type GateDeps = Readonly<{ modelRates: ModelRates }>

/**
 * Counts a request for its user, under the group of its token or else of the account
 * (docs/reference/limits.md#model-requests); throws if the limit is exceeded.
 */
export const enterGate = ({ modelRates }: GateDeps, caller: Caller): MaybePromise<RateTicket | undefined> =>
  modelRates.enter(caller, caller.tokenGroup || caller.account.group)

/** Adds the warning of a budget that is nearly used to the response's headers (docs/reference/tokens.md). */
export function warnOfBudget({ head }: RequestContext, { limits }: Caller): void {
  const warning = limits?.warning()
  if (warning !== undefined) head['x-switchyard-budget'] = warning
}
