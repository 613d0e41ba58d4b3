import { sha256 } from '../../../base/ids.ts'
import { type JsonObject, objectIn, textIn } from '../../../base/json/json.ts'
import type { AnswerEvent } from '../events.ts'
import type { VendorSearch } from '../vendor-search.ts'
import { messageIn, messagesIn } from './message.ts'

export type Citation = Extract<AnswerEvent, { type: 'citation' }>
type Source = Readonly<{ url: string; title: string }>

/** Citations of one answer, and characters of what several of them may repeat. */
const MAX_CITATIONS = 1000
const MAX_QUOTE = 4000
const MAX_URL = 8192
const MAX_TITLE = 1000

/**
 * Where a candidate's text comes from: the sources of `groundingMetadata` with what rests on them, then those of
 * `citationMetadata`. No more are looked at than an answer may have.
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

/** The text that rests on sources, unless it is too long to be repeated for each. */
function quoteIn(support: JsonObject): string | undefined {
  const text = textIn(messageIn(support.segment).text) ?? ''
  return text !== '' && text.length <= MAX_QUOTE ? text : undefined
}

/** The places of the sources that a text rests on, each once. */
function indicesIn({ groundingChunkIndices: indices }: JsonObject, max: number): readonly number[] {
  const first: readonly unknown[] = Array.isArray(indices) ? indices.slice(0, max) : []
  return [...new Set(first.filter((index) => typeof index === 'number'))]
}

/** The citations of an answer, which the pieces of a stream may repeat. Nothing long is written for those that are known. */
export class Cited {
  readonly #byUrl = new Map<string, Set<string>>()
  #count = 0

  /** Notes a citation; false for one that is known, or one too many. */
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
 * Counts what the vendor searched for: each query once, however often the pieces of a stream repeat it, and at least one search
 * where anything was found on the web or a map (Gemini API, "Grounding with Google Search": pricing). A class: there is
 * one for each answer.
 */
export class SearchCount {
  readonly #queries = new Set<string>()
  #isGrounded = false

  /** Notes a candidate, or a part that tells of a search. */
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

/** No vendor searches as often for one answer; a longer query is remembered by its hash. */
const MAX_QUERIES = 1000
const MAX_QUERY = 256

/** Whether a part tells of a search that the vendor ran beside functions (docs/reference/conversion.md#tools-beside-functions). */
export const isSearch = ({ toolCall }: JsonObject): boolean =>
  toolCall !== undefined && (textIn(messageIn(toolCall).toolType) ?? '').startsWith('GOOGLE_SEARCH')

/** The search that grounded a candidate, by what it searched for and found; undefined where nothing is told of one. */
export function searchOf(candidate: JsonObject): VendorSearch | undefined {
  const grounding = messageIn(candidate.groundingMetadata)
  const given = Array.isArray(grounding.webSearchQueries) ? grounding.webSearchQueries : []
  const queries = given.filter((query) => typeof query === 'string')
  if (queries.length === 0) return undefined
  const pages = messagesIn(grounding.groundingChunks).flatMap((chunk) => (chunk.web ? (sourceIn(chunk) ?? []) : []))
  return { id: '', action: 'search', queries, pages }
}

/** Writes `groundingMetadata`; undefined where nothing was searched for or cited. */
export function groundingOut(
  citations: readonly Citation[],
  webSearchQueries: readonly string[],
): JsonObject | undefined {
  const searched = webSearchQueries.length > 0 ? { webSearchQueries } : undefined
  if (citations.length === 0) return searched
  const sources = [...new Map(citations.map(({ url, title }) => [url, title]))]
  const places = new Map(sources.map(([url], index) => [url, index]))
  const groundingSupports = citations.flatMap(({ url, quote }) =>
    quote === undefined ? [] : [{ segment: { text: quote }, groundingChunkIndices: [places.get(url)] }],
  )
  return {
    ...searched,
    groundingChunks: sources.map(([uri, title]) => ({ web: { uri, title } })),
    ...(groundingSupports.length > 0 && { groundingSupports }),
  }
}

/** A source of the web, of the caller's own documents or of a map. */
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
