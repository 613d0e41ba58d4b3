import { actions, routes } from './relay-routes.ts'

/**
 * Corrects the paths of clients whose base URL has or lacks `/v1`, and that add a version of their own or none
 * (docs/reference/endpoints.md#other-paths). Only used for paths that do not exist.
 */

/** Repeated versions and slashes. */
const PREFIX = /^\/+(?:(?:v1beta\/+openai|v1beta|v1|v2)(?:\/+|$))*/
/** What follows the version. The playground and the billing dashboard have no aliases. */
const HEADS =
  '(?:chat/completions|completions|edits|embeddings|moderations|rerank|responses|conversations|messages|models|engines|' +
  'images/(?:generations|edits|variations)|audio/(?:speech|transcriptions|translations)|realtime|batches|files|' +
  'uploads|videos|fine-tunes|fine_tuning|assistants|threads|vector_stores)(?:/|\\?|$)'
const KNOWN = new RegExp(`^${HEADS}`)
const BARE = new RegExp(`^/+${HEADS}|^/{2,}(?:v1|v1beta|v2)(?:/|\\?|$)`)
/** Gemini's sockets have no version prefix. */
const SOCKET = /^ws\/google\./

/** Whether a request URL is a relay path without its version, or with too many slashes before it. */
export const isBareRelayPath = (url: string): boolean => BARE.test(url)

/** The path meant by one with repeated or missing prefixes; undefined for unknown paths, or without a change. */
export function intendedPath(path: string): string | undefined {
  const [prefix = ''] = PREFIX.exec(path) ?? []
  const rest = path.slice(prefix.length)
  if (SOCKET.test(rest)) return own(path, `/${rest}`)
  if (!KNOWN.test(rest)) return undefined
  const versions = prefix.split('/').filter(Boolean)
  const last = versions.at(-1) ?? 'v1'
  return own(path, `/${last === 'openai' ? 'v1beta/openai' : last}/${rest}`)
}

const own = (path: string, intended: string): string | undefined => (intended === path ? undefined : intended)

/**
 * A similar method and path to suggest to the caller: one that the given path ends with, else one that begins with the
 * given path. Undefined if there is none.
 */
export function suggestedRoute(method: string, path: string): string | undefined {
  const [gemini] = GEMINI_END.exec(path) ?? []
  if (gemini) return `POST /v1beta${gemini}`
  const ends = longestFirst.filter(({ rest }) => path.endsWith(`/${rest}`))
  const typed = path.replace(PREFIX, '')
  const begins = typed.length < MIN_LENGTH ? [] : suggestions.filter(({ rest }) => rest.startsWith(typed))
  const near = ends.length > 0 ? ends : begins
  return (near.find((one) => one.method === method) ?? near[0])?.route
}

/** Min characters of a beginning that is compared; shorter ones are ambiguous. */
const MIN_LENGTH = 4
const GEMINI_END = new RegExp(`/models/[^/]+:(?:${Object.keys(actions).join('|')}|countTokens)$`)

const suggestions = [...Object.keys(routes), 'GET /v1/models', 'POST /v1/messages/count_tokens', 'GET /v1/realtime']
  .filter((route) => route.includes(' /v1/'))
  .map((route) => {
    const [method = '', path = ''] = route.split(' ')
    return { route, method, rest: path.replace('/v1/', '') }
  })

/** `/v1/chat/completions` before `/v1/completions`. */
const longestFirst = suggestions.toSorted((one, other) => other.rest.split('/').length - one.rest.split('/').length)
