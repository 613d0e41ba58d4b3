import { refuse } from '../base/errors.ts'
import type { MediaPlace } from './convert.ts'
import type { Conversation, MediaPart, Part, Turn } from './formats/conversation.ts'
import { type Accepts, anyType, geminiTypes, imageTypes } from './media/accepted-types.ts'
import type { FetchMedia } from './media/fetch.ts'
import { whilePatient } from './media/patience-signal.ts'
import type { TalkEndpoint } from './way.ts'

/** Kinds of files that a dialect lets be named by URL, Anthropic's by https alone (the vendors' API references; spec/relay.md §3.5, §7.6). */
const namedByUrl: Readonly<Record<TalkEndpoint, readonly MediaPart['kind'][]>> = {
  chat: ['image'],
  responses: ['image', 'document'],
  messages: ['image', 'document'],
  generate: [],
  own: ['image'],
}

export type MediaDeps = Readonly<{
  fetch: FetchMedia
  /** How many images one message for Gemini may have; -1 for any number. */
  mostImages: number
}>

/** Fetches what the dialect of `way` must be given whole; each file is fetched once, all at the same time. */
export function withMedia(
  { fetch, mostImages }: MediaDeps,
  conversation: Conversation,
  place: MediaPlace,
): Promise<Conversation> {
  if (place.way === 'generate' && mostImages >= 0) refuseCrowds(conversation, mostImages)
  return whilePatient(place.patience, (signal) => inlined(fetch, conversation, place, signal))
}

async function inlined(
  fetch: FetchMedia,
  conversation: Conversation,
  { way, takesUrls }: MediaPlace,
  signal: AbortSignal,
): Promise<Conversation> {
  const isFetched = (part: Part): part is MediaPart =>
    part.type === 'media' &&
    part.source.type === 'url' &&
    !(takesUrls && namedByUrl[way].includes(part.kind) && (way !== 'messages' || part.source.url.startsWith('https:')))
  if (!conversation.turns.some(({ parts }) => parts.some((part) => isFetched(part) || part.type === 'tool-result')))
    return conversation
  const whole = async (part: MediaPart): Promise<MediaPart> => {
    if (part.source.type !== 'url') return part
    const { mime, data } = await fetch(part.source.url, signal, acceptedBy(way, part))
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

function acceptedBy(way: TalkEndpoint, part: MediaPart): Accepts {
  if (way === 'generate') return geminiTypes
  return part.kind === 'image' ? imageTypes : anyType
}

function refuseCrowds({ turns }: Conversation, mostImages: number): void {
  const isCrowded = turns.some(
    ({ parts }) => parts.filter((part) => part.type === 'media' && part.kind === 'image').length > mostImages,
  )
  if (isCrowded)
    throw refuse('invalid', 'relay.tooManyImages', { count: mostImages }, { code: 'convert_request_failed' })
}
