import type { Media } from '../../base/bytes/data-url.ts'
import { refuse } from '../../base/errors.ts'
import { UntrustedMap } from '../../base/untrusted-keys.ts'
import type { Conversation, MediaPart, Part, Turn } from '../formats/conversation.ts'
import type { MemoryShare } from '../intake/body-memory.ts'
import { type Accepts, anyType, geminiTypes, imageTypes } from '../media/accepted-types.ts'
import type { FetchMedia } from '../media/fetch.ts'
import { mediaRefusals } from '../media/refusals.ts'
import { withAbortSignal } from '../model/cancellation.ts'
import type { TalkEndpoint } from '../model/endpoint.ts'
import type { MediaTarget } from './convert.ts'

/**
 * Kinds of files that a dialect accepts by URL; Anthropic's accepts only https (the vendors' API references;
 * docs/reference/conversion.md#media-types, docs/reference/limits.md#files-named-by-url).
 */
const namedByUrl: Readonly<Record<TalkEndpoint, readonly MediaPart['kind'][]>> = {
  chat: ['image'],
  responses: ['image', 'document'],
  messages: ['image', 'document'],
  generate: [],
  own: ['image'],
}

type MediaDeps = Readonly<{
  fetch: FetchMedia
  /** Max images in one message for Gemini; -1 means unlimited. */
  maxImages: number
  maxBytes: number
}>

/** Max files that one request may name by URL: as many downloads as one account may have waiting. */
const MAX_FILES = 256

/**
 * Fetches, in parallel, the files that the dialect of `upstreamEndpoint` only accepts inline; each once, as far as they
 * fit into the fetcher's cache. The files of one request are limited in number, in total bytes, and by the memory
 * budget for bodies. Throws if a message for Gemini has more than `maxImages` images.
 */
export function withMedia(
  { fetch, maxImages, maxBytes }: MediaDeps,
  conversation: Conversation,
  mediaTarget: MediaTarget,
): Promise<Conversation> {
  if (mediaTarget.upstreamEndpoint === 'generate' && maxImages >= 0) refuseTooManyImages(conversation, maxImages)
  return withAbortSignal(mediaTarget.cancellation, async (signal) => {
    const own = new AbortController()
    try {
      const bounded = boundedFetch(oneAfterTheOther(fetch), maxBytes, mediaTarget.memory)
      return await inlined(bounded, conversation, mediaTarget, AbortSignal.any([signal, own.signal]))
    } finally {
      // If one file is refused, the others are no longer needed.
      own.abort()
    }
  })
}

/** Fetches the same URL again only after its first file has arrived, and is cached. */
function oneAfterTheOther(fetch: FetchMedia): FetchMedia {
  const running = new UntrustedMap<string, Promise<Media>>()
  return (url, signal, accepts) => {
    const before = running.get(url)
    const file = before ? before.then(() => fetch(url, signal, accepts)) : fetch(url, signal, accepts)
    running.set(url, file)
    return file
  }
}

function boundedFetch(fetch: FetchMedia, maxBytes: number, memory: MemoryShare | undefined): FetchMedia {
  let length = 0
  return async (url, signal, accepts) => {
    const file = await fetch(url, signal, accepts)
    length += file.data.length
    if (length * BYTES_PER_CHARACTER > maxBytes) throw mediaRefusals.tooMuch(maxBytes)
    memory?.grow(length)
    return file
  }
}

/** Bytes per character of base64. */
const BYTES_PER_CHARACTER = 3 / 4

async function inlined(
  fetch: FetchMedia,
  conversation: Conversation,
  { upstreamEndpoint, takesUrls }: MediaTarget,
  signal: AbortSignal,
): Promise<Conversation> {
  const isFetched = (part: Part): part is MediaPart =>
    part.type === 'media' &&
    part.source.type === 'url' &&
    !(
      takesUrls &&
      namedByUrl[upstreamEndpoint].includes(part.kind) &&
      (upstreamEndpoint !== 'messages' || part.source.url.startsWith('https:'))
    )
  const files = conversation.turns.flatMap(({ parts }) => parts.flatMap(withResults)).filter(isFetched)
  if (files.length === 0) return conversation
  if (files.length > MAX_FILES) throw mediaRefusals.tooMany(MAX_FILES)
  const whole = async (part: MediaPart): Promise<MediaPart> => {
    if (part.source.type !== 'url') return part
    const { mime, data } = await fetch(part.source.url, signal, acceptedBy(upstreamEndpoint, part))
    return { ...part, source: { type: 'data', mime, data } }
  }
  const partOf = async (part: Part): Promise<Part> => {
    if (isFetched(part)) return whole(part)
    if (part.type !== 'tool-result') return part
    const content = await Promise.all(part.content.map((inner) => (isFetched(inner) ? whole(inner) : inner)))
    return { ...part, content }
  }
  const turnOf = async (turn: Turn): Promise<Turn> => ({ ...turn, parts: await Promise.all(turn.parts.map(partOf)) })
  return { ...conversation, turns: await Promise.all(conversation.turns.map(turnOf)) }
}

const withResults = (part: Part): readonly Part[] => (part.type === 'tool-result' ? part.content : [part])

function acceptedBy(upstreamEndpoint: TalkEndpoint, part: MediaPart): Accepts {
  if (upstreamEndpoint === 'generate') return geminiTypes
  return part.kind === 'image' ? imageTypes : anyType
}

function refuseTooManyImages({ turns }: Conversation, maxImages: number): void {
  const isTooMany = turns.some(
    ({ parts }) => parts.filter((part) => part.type === 'media' && part.kind === 'image').length > maxImages,
  )
  if (isTooMany)
    throw refuse('invalid', 'relay.tooManyImages', { count: maxImages }, { code: 'convert_request_failed' })
}
