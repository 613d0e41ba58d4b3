import type { Headers, Target } from './provider.ts'

/** The header whose list also includes the caller's values; in all others, the operator's value replaces them. */
const BETAS = 'anthropic-beta'
/** Headers about the connection and the body, which differ for each request. */
const FIXED =
  /^(host|connection|keep-alive|proxy-connection|transfer-encoding|te|trailer|upgrade|expect|content-length|content-encoding|content-type|accept-encoding)$/

/**
 * Merges the operator's headers for a Claude model (`claude.model_headers_settings`) into the given ones; the
 * operator's are looked up by the caller's name of the model, or else the upstream's.
 */
export function withClaudeHeaders(target: Target, headers: Headers): Headers {
  const sent: Record<string, string> = { ...headers }
  for (const [written, values] of Object.entries(ownOf(target))) {
    const name = written.toLowerCase()
    if (FIXED.test(name) || values.length === 0) continue
    const value = name === BETAS ? merged(sent[name], values) : values.join(', ')
    if (value !== '') sent[name] = value
  }
  return sent
}

/** Members that Anthropic's API refuses as of its version of 21 October 2026 ("Versions": migration guide). */
export const samplingMembers: ReadonlySet<string> = new Set(['temperature', 'top_p', 'top_k'])
const UNSAMPLED_SINCE = '2026-10-21'

/** Whether the caller's API version refuses `samplingMembers`, so that no channel may add them. */
export const isUnsampled = ({ endpoint, clientHeaders }: Target): boolean =>
  endpoint === 'messages' && String(clientHeaders['anthropic-version'] ?? '') >= UNSAMPLED_SINCE

export function callersBetas({ clientHeaders }: Target): readonly string[] {
  const sent = clientHeaders[BETAS]
  return sent === undefined ? [] : valuesIn([String(sent)])
}

export function operatorsBetas(target: Target): readonly string[] {
  const own = Object.entries(ownOf(target)).find(([name]) => name.toLowerCase() === BETAS)
  return own ? valuesIn(own[1]) : []
}

const ownOf = ({ claudeHeaders, requestedModel, model }: Target): Readonly<Record<string, readonly string[]>> =>
  claudeHeaders(requestedModel ?? model) ?? claudeHeaders(model) ?? {}

const merged = (given: string | undefined, values: readonly string[]): string =>
  valuesIn([given ?? '', ...values]).join(',')

const valuesIn = (lists: readonly string[]): readonly string[] =>
  [...new Set(lists.flatMap((list) => list.split(',')).map((value) => value.trim()))].filter((value) => value !== '')
