import { sha256 } from '../../../base/ids.ts'
import { type JsonObject, objectIn, textIn } from '../../../base/json.ts'
import type { AnswerEvent } from '../events.ts'
import type { VendorSearch } from '../vendor-search.ts'
import { messageIn, messagesIn } from './message.ts'

export type Citation = Extract<AnswerEvent, { type: 'citation' }>
type Source = Readonly<{ url: string; title: string }>

/** Citations of one answer, and characters of what several of them may repeat. */
export const MAX_CITATIONS = 1000
const MAX_QUOTE = 4000
const MAX_URL = 8192
const MAX_TITLE = 1000

/** Where a candidate's text comes from: the sources of `groundingMetadata` with what rests on them, then those of `citationMetadata`. */
export function citationsIn(candidate: JsonObject, choice: number): readonly Citation[] {
  const grounding = messageIn(candidate.groundingMetadata)
  const sources = messagesIn(grounding.groundingChunks).map(sourceIn)
  const used = new Set<number>()
  const quoted = messagesIn(grounding.groundingSupports).flatMap((support) => {
    const text = textIn(messageIn(support.segment).text) ?? ''
    const quote = text !== '' && text.length <= MAX_QUOTE ? text : undefined
    const indices = Array.isArray(support.groundingChunkIndices) ? support.groundingChunkIndices : []
    return indices.flatMap((index: unknown) => {
      const source = typeof index === 'number' ? sources[index] : undefined
      if (!source || typeof index !== 'number') return []
      used.add(index)
      return [citation(choice, source, quote)]
    })
  })
  const unquoted = sources.flatMap((source, index) => (source && !used.has(index) ? [citation(choice, source)] : []))
  const recited = messageIn(candidate.citationMetadata)
  const others = messagesIn(recited.citations ?? recited.citationSources).flatMap((source) => {
    const recitedFrom = sourceOf(source.uri, source.title)
    return recitedFrom === undefined ? [] : [citation(choice, recitedFrom)]
  })
  return [...quoted, ...unquoted, ...others]
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
