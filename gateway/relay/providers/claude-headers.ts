import type { Headers, Target } from './provider.ts'

/** A list, to which the caller's own values belong as well; of all other headers the operator's value is the one that counts. */
const BETAS = 'anthropic-beta'
/** Headers about the connection and the body, which follow from what is sent. */
const FIXED =
  /^(host|connection|keep-alive|proxy-connection|transfer-encoding|te|trailer|upgrade|expect|content-length|content-encoding|content-type|accept-encoding)$/

/**
 * Headers for a model of Claude's as the operator has set them (`claude.model_headers_settings`), by the caller's name of
 * it or else by the upstream's: besides those given, or in their place.
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

/** Members that Anthropic's API takes no more since its version of 21 October 2026 ("Versions": migration guide). */
export const samplingMembers: ReadonlySet<string> = new Set(['temperature', 'top_p', 'top_k'])
const UNSAMPLED_SINCE = '2026-10-21'

/** Whether the version that a caller names refuses these members, which therefore no channel may add. */
export const isUnsampled = ({ endpoint, clientHeaders }: Target): boolean =>
  endpoint === 'messages' && String(clientHeaders['anthropic-version'] ?? '') >= UNSAMPLED_SINCE

/** The betas that a caller names, each once. */
export function callersBetas({ clientHeaders }: Target): readonly string[] {
  const said = clientHeaders[BETAS]
  return said === undefined ? [] : valuesIn([String(said)])
}

/** The betas that the operator wants of a model, each once. */
export function operatorsBetas(target: Target): readonly string[] {
  const own = Object.entries(ownOf(target)).find(([name]) => name.toLowerCase() === BETAS)
  return own ? valuesIn(own[1]) : []
}

const ownOf = ({ claudeHeaders, requestedModel, model }: Target): Readonly<Record<string, readonly string[]>> =>
  claudeHeaders(requestedModel ?? model) ?? claudeHeaders(model) ?? {}

const merged = (given: string | undefined, values: readonly string[]): string =>
  valuesIn([given ?? '', ...values]).join(',')

/** All values of lists, each once. */
const valuesIn = (lists: readonly string[]): readonly string[] =>
  [...new Set(lists.flatMap((list) => list.split(',')).map((value) => value.trim()))].filter((value) => value !== '')
