import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.ts'
import { lruLife, upTo } from '../../base/lru.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import { keyIdOf } from '../../channels/registry/keys.ts'
import type { Conversation, Part, Turn } from '../formats/conversation.ts'
import { SOURCES } from '../formats/responses/search-item.ts'
import type { Endpoint } from '../model/endpoint.ts'
import type { UpstreamError } from './upstream-error.ts'

/** What a conversation is asked again without, and what of it the caller is told, by its name in the conversation. */
export type Relief = Readonly<{ adapt: (conversation: Conversation) => Conversation; dropped: readonly string[] }>

/**
 * What a vendor refuses of a converted request that it can be asked without: log probabilities, which models have or
 * have not as their vendors please (docs/reference/conversion.md#log-probabilities), searches that another organization's
 * key has run (docs/reference/conversion.md#searches-of-vendors), and in Responses what its caller never
 * asked for in so many words (docs/reference/conversion.md#sealed-thoughts): seals of another organization's, whose key a
 * channel had before, thoughts without what they led to, which a client has left out, and summaries of thoughts, which
 * organizations have to be verified for. Undefined for any other error.
 */
export function reliefFor(error: UpstreamError, endpoint: Endpoint): Relief | undefined {
  const { vendorStatus, code, body, message } = error
  if (vendorStatus !== 400 && vendorStatus !== 404) return undefined
  if (SCORES.has(body?.param) || UNSCORED.test(message))
    return { adapt: withoutLogProbabilities, dropped: ['logProbabilities'] }
  if (endpoint === 'messages' && UNKNOWN_SEARCH.test(message)) return { adapt: withoutBlocks, dropped: [] }
  if (endpoint !== 'responses') return undefined
  if (message.includes(SOURCES)) return { adapt: withoutSources, dropped: [] }
  if (code === 'invalid_encrypted_content' || LONE_THOUGHT.test(message)) return { adapt: withoutSeals, dropped: [] }
  return body?.param === 'reasoning.summary' ? UNVERIFIED : undefined
}

/** What is known of channels' keys from what their vendor refused before. */
export type KnownReliefs = Readonly<{
  /** The relief that whatever is asked with a channel's key needs, where one is known. */
  of(channel: ActiveChannel): Relief | undefined
  /** Keeps a relief that helped, where it is the key's rather than one conversation's. */
  helped(channel: ActiveChannel, relief: Relief): void
}>

/** An organization that has been verified meanwhile is found out within this time. */
const TTL_MS = 3_600_000
const MAX_KEYS = 1000

/** Remembers for an hour, of at most 1,000 keys, that their organization is not verified: each request would be refused once. */
export function createKnownReliefs(clock: Clock): KnownReliefs {
  const unverified = new LRUCache<string, true>({ ...upTo(MAX_KEYS), ...lruLife(TTL_MS, () => clock.monotonic()) })
  const nameOf = ({ id, key }: ActiveChannel) => `${id} ${keyIdOf(key)}`
  return {
    of: (channel) => (unverified.size > 0 && unverified.has(nameOf(channel)) ? UNVERIFIED : undefined),
    helped(channel, relief) {
      if (relief === UNVERIFIED) unverified.set(nameOf(channel), true)
    },
  }
}

/** OpenAI shows summaries of thoughts to verified organizations alone. */
const UNVERIFIED: Relief = { adapt: withoutSummary, dropped: ['summary'] }

/** OpenAI's names of the members, and what Google and others say. */
const SCORES: ReadonlySet<unknown> = new Set(['logprobs', 'top_logprobs'])
const UNSCORED = /\blogprobs\b.{0,40}\bnot (enabled|supported|available)\b/i

/** What Anthropic says of a search that another organization's key has run. */
const UNKNOWN_SEARCH = /invalid `?encrypted_(content|index)/i

/** Not every service of OpenAI's models knows how to list what was found. */
const withoutSources = (conversation: Conversation): Conversation => ({
  ...conversation,
  tools: conversation.tools.map((tool) => (tool.type === 'hosted' ? { ...tool, listsPages: false } : tool)),
})

/** Anthropic's own searches as the words that other vendors are told. */
const withoutBlocks = (conversation: Conversation): Conversation => ({
  ...conversation,
  turns: conversation.turns.map((turn) => ({ ...turn, parts: turn.parts.map(worded) })),
})

function worded(part: Part): Part {
  if (part.type !== 'text' || !part.search) return part
  const { original: _, ...words } = part
  return words
}

const withoutLogProbabilities = ({ logProbabilities: _, ...rest }: Conversation): Conversation => rest

/** OpenAI has no code for these. */
const LONE_THOUGHT = /^Item (with id )?'rs_[^']*' (of type 'reasoning' was provided without|not found)/

function withoutSeals(conversation: Conversation): Conversation {
  return { ...conversation, turns: conversation.turns.flatMap(unsealed) }
}

/** A turn without sealed thoughts; none where it was nothing else. */
function unsealed(turn: Turn): readonly Turn[] {
  if (!turn.parts.some(isSealed)) return [turn]
  const parts = turn.parts.flatMap(withoutSeal)
  return parts.length > 0 ? [{ ...turn, parts }] : []
}

const isSealed = (part: Part): boolean => 'signature' in part && part.signature?.by === 'responses'

function withoutSeal(part: Part): readonly Part[] {
  if (!isSealed(part)) return [part]
  return part.type === 'tool-call' ? [{ ...part, signature: undefined }] : []
}

function withoutSummary(conversation: Conversation): Conversation {
  const { show: _, summary: __, ...reasoning } = conversation.reasoning ?? {}
  return { ...conversation, reasoning }
}
