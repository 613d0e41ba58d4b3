import { sha256 } from '../../../base/ids.ts'
import { type JsonObject, objectIn, textIn } from '../../../base/json/json.ts'
import { UntrustedMap } from '../../../base/untrusted-keys.ts'
import type { AnswerEvent } from '../events.ts'
import type { VendorSearch } from '../vendor-search.ts'
import { messageIn, messagesIn } from './message.ts'

export type Citation = Extract<AnswerEvent, { type: 'citation' }>
type Source = Readonly<{ url: string; title: string }>

/** Max citations of a response, and max characters of their members. */
const MAX_CITATIONS = 1000
const MAX_QUOTE = 4000
const MAX_URL = 8192
const MAX_TITLE = 1000

/**
 * Returns the citations of a candidate: the sources in `groundingMetadata` with the supported text, then those in
 * `citationMetadata`. Returns at most `MAX_CITATIONS`.
 */
export function citationsIn(candidate: JsonObject, choice: number): readonly Citation[] {
  const grounding = messageIn(candidate.groundingMetadata)
  const sources = messagesIn(grounding.groundingChunks).map(sourceIn)
  const citations: Citation[] = []
  const used = new Set<number>()
  for (const support of messagesIn(grounding.groundingSupports)) {
    const quote = quoteIn(support)
    for (const index of indicesIn(support, MAX_CITATIONS - citations.length)) {
      const source = sources[index]
      if (source) citations.push(citation(choice, source, quote))
      if (source) used.add(index)
    }
  }
  for (const [index, source] of sources.entries())
    if (source && !used.has(index)) citations.push(citation(choice, source))
  const recited = messageIn(candidate.citationMetadata)
  for (const { uri, title } of messagesIn(recited.citations ?? recited.citationSources)) {
    const source = sourceOf(uri, title)
    if (source) citations.push(citation(choice, source))
  }
  return citations.slice(0, MAX_CITATIONS)
}

/** Returns the supported text, unless it is too long to be repeated for each source. */
function quoteIn(support: JsonObject): string | undefined {
  const text = textIn(messageIn(support.segment).text) ?? ''
  return text !== '' && text.length <= MAX_QUOTE ? text : undefined
}

function indicesIn({ groundingChunkIndices: indices }: JsonObject, max: number): readonly number[] {
  const first: readonly unknown[] = Array.isArray(indices) ? indices.slice(0, max) : []
  return [...new Set(first.filter((index) => typeof index === 'number'))]
}

/**
 * Deduplicates the citations of a response, which the chunks of a stream may repeat. `add` returns false for a known
 * one, and beyond `MAX_CITATIONS`.
 */
export class Cited {
  readonly #byUrl = new UntrustedMap<string, Set<string>>()
  #count = 0

  add({ choice, url, quote = '' }: Citation): boolean {
    if (this.#count >= MAX_CITATIONS) return false
    const known = this.#byUrl.get(url) ?? new Set()
    const key = `${choice}:${quote}`
    if (known.has(key)) return false
    this.#byUrl.set(url, known.add(key))
    this.#count += 1
    return true
  }
}

/**
 * Counts the vendor's searches: each query once, however often chunks repeat it, and at least one if a search ran, or
 * if anything was found on the web or a map (Gemini API, "Grounding with Google Search": pricing). A class: one is
 * created for each response.
 */
export class SearchCount {
  readonly #queries = new Set<string>()
  #isGrounded = false

  note(candidate: JsonObject): void {
    const { webSearchQueries, groundingChunks } = messageIn(candidate.groundingMetadata)
    const { queries } = messageIn(messageIn(candidate.toolCall).args)
    for (const query of [webSearchQueries, isSearch(candidate) ? queries : undefined].flat())
      if (typeof query === 'string' && query !== '' && this.#queries.size < MAX_QUERIES)
        this.#queries.add(query.length > MAX_QUERY ? sha256(query) : query)
    this.#isGrounded ||= isSearch(candidate) || messagesIn(groundingChunks).some(({ web, maps }) => web ?? maps)
  }

  count(): number {
    return Math.max(this.#queries.size, this.#isGrounded ? 1 : 0)
  }
}

/**
 * Max queries of a response, more than any vendor searches for, and max characters; longer queries are stored as
 * hashes.
 */
const MAX_QUERIES = 1000
const MAX_QUERY = 256

/**
 * Whether a part describes a search that the vendor ran in addition to functions
 * (docs/reference/conversion.md#non-function-tools).
 */
const isSearch = ({ toolCall }: JsonObject): boolean =>
  toolCall !== undefined && (textIn(messageIn(toolCall).toolType) ?? '').startsWith('GOOGLE_SEARCH')

/** Returns the queries and results of the search that grounded a candidate; undefined if there was none. */
export function searchOf(candidate: JsonObject): VendorSearch | undefined {
  const grounding = messageIn(candidate.groundingMetadata)
  const given = Array.isArray(grounding.webSearchQueries) ? grounding.webSearchQueries : []
  const queries = given.filter((query) => typeof query === 'string')
  if (queries.length === 0) return undefined
  const pages = messagesIn(grounding.groundingChunks).flatMap((chunk) => (chunk.web ? (sourceIn(chunk) ?? []) : []))
  return { id: '', action: 'search', queries, pages }
}

export function groundingOut(
  citations: readonly Citation[],
  webSearchQueries: readonly string[],
): JsonObject | undefined {
  const searched = webSearchQueries.length > 0 ? { webSearchQueries } : undefined
  if (citations.length === 0) return searched
  const sources = [...new UntrustedMap(citations.map(({ url, title }) => [url, title]))]
  const indices = new UntrustedMap(sources.map(([url], index) => [url, index]))
  const groundingSupports = citations.flatMap(({ url, quote }) =>
    quote === undefined ? [] : [{ segment: { text: quote }, groundingChunkIndices: [indices.get(url)] }],
  )
  return {
    ...searched,
    groundingChunks: sources.map(([uri, title]) => ({ web: { uri, title } })),
    ...(groundingSupports.length > 0 && { groundingSupports }),
  }
}

function sourceIn(chunk: JsonObject): Source | undefined {
  const { uri, title } = objectIn(chunk.web ?? chunk.retrievedContext ?? chunk.maps)
  return sourceOf(uri, title)
}

const sourceOf = (uri: unknown, title: unknown): Source | undefined =>
  typeof uri === 'string' && uri.length <= MAX_URL
    ? { url: uri, title: (textIn(title) ?? '').slice(0, MAX_TITLE) }
    : undefined

const citation = (choice: number, { url, title }: Source, quote?: string | undefined): Citation => ({
  type: 'citation',
  choice,
  url,
  title,
  ...(quote !== undefined && { quote }),
})
