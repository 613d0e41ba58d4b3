import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.ts'
import { lruLife, upTo } from '../../base/lru.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import { keyIdOf } from '../../channels/registry/keys.ts'
import type { Json } from '../formats/codec.ts'
import type { Conversation, Part } from '../formats/conversation.ts'
import { asUser, instructionsApart } from '../formats/instructions.ts'
import { SOURCES } from '../formats/responses/search-item.ts'
import type { Endpoint } from '../model/endpoint.ts'
import {
  unsealed,
  withoutReasoningItems,
  withoutSignatures,
  withoutSystemMessages,
  withoutThinkingBlocks,
} from './sealed-history.ts'
import type { UpstreamError } from './upstream-error.ts'

/**
 * What to remove from a request, or to change in it, before it is retried; `dropped` is reported to the caller, by
 * names of the conversation. `edits` apply to a body in the vendor's own dialect, and `left` lists what they remove;
 * without them such a body is unchanged.
 */
export type Relief = Readonly<{
  adapt: (conversation: Conversation) => Conversation
  dropped: readonly string[]
  edits?: (json: Json) => ReadonlyMap<string, unknown>
  left?: readonly string[]
}>

/**
 * Returns a change that may make a refused request acceptable; undefined if the error has another cause. The change is
 * about one of these, in any request: reasoning that the vendor encrypted for another organization or another beginning
 * of the conversation (docs/reference/conversion.md#sealed-thoughts), and instructions between messages, which not
 * every service of a model supports; only in converted requests: log probabilities, whose support varies by model
 * (docs/reference/conversion.md#log-probabilities), searches run with another organization's key
 * (docs/reference/conversion.md#vendor-searches), the list of a search's sources, which not every service returns, and
 * reasoning summaries, which need a verified organization.
 */
export function reliefFor(error: UpstreamError, endpoint: Endpoint, isEdited: boolean): Relief | undefined {
  const { vendorStatus, message } = error
  if (vendorStatus !== 400 && vendorStatus !== 404) return undefined
  if (isBound(error, endpoint)) return unsealedFor[endpoint]
  if (endpoint === 'messages' && UNKNOWN_ROLE.test(message)) return UNINSTRUCTED
  return isEdited ? undefined : convertedRelief(error, endpoint)
}

function convertedRelief({ body, message }: UpstreamError, endpoint: Endpoint): Relief | undefined {
  if (SCORES.has(body?.param) || UNSCORED.test(message))
    return { adapt: withoutLogProbabilities, dropped: ['logProbabilities'] }
  if (endpoint === 'messages' && UNKNOWN_SEARCH.test(message)) return { adapt: withoutBlocks, dropped: [] }
  if (endpoint !== 'responses') return undefined
  if (message.includes(SOURCES)) return { adapt: withoutSources, dropped: [] }
  return body?.param === 'reasoning.summary' ? UNVERIFIED : undefined
}

/** Whether a vendor refuses its own encrypted reasoning. */
function isBound({ code, message }: UpstreamError, endpoint: Endpoint): boolean {
  if (endpoint === 'responses') return code === 'invalid_encrypted_content' || LONE_THOUGHT.test(message)
  if (endpoint === 'messages') return BOUND_THOUGHT.test(message)
  return endpoint === 'generate' && UNKNOWN_SIGNATURE.test(message)
}

export type KnownReliefs = Readonly<{
  /** The relief that every request with a channel's key needs, if known. */
  of(channel: ActiveChannel): Relief | undefined
  /** Stores a relief that helped, if it depends on the key rather than on one conversation. */
  helped(channel: ActiveChannel, relief: Relief): void
}>

/** How long an unverified organization is remembered: a newly verified one is noticed within this time. */
const TTL_MS = 3_600_000
const MAX_KEYS = 1000

/** Remembers the keys of unverified organizations, which saves a refusal per request. */
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

/** OpenAI shows reasoning summaries only to verified organizations. */
const UNVERIFIED: Relief = { adapt: withoutSummary, dropped: ['summary'] }

/** How vendors refuse log probabilities: OpenAI by the name of a member, Google and others in words. */
const SCORES: ReadonlySet<unknown> = new Set(['logprobs', 'top_logprobs'])
const UNSCORED = /\blogprobs\b.{0,40}\bnot (enabled|supported|available)\b/i

/** Anthropic's error for a search that another organization's key has run. */
const UNKNOWN_SEARCH = /invalid `?encrypted_(content|index)/i

/** Not every service of OpenAI's models can list search results. */
const withoutSources = (conversation: Conversation): Conversation => ({
  ...conversation,
  tools: conversation.tools.map((tool) => (tool.type === 'hosted' ? { ...tool, listsPages: false } : tool)),
})

/** Turns Anthropic's searches into text, as for other vendors. */
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

/** OpenAI's messages for reasoning items that it cannot use; they have no code. */
const LONE_THOUGHT = /^Item (with id )?'rs_[^']*' (of type 'reasoning' was provided without|not found)/

/** Anthropic's errors for reasoning after other messages, or by another model or account ("Preserved thinking"). */
const BOUND_THOUGHT = /invalid `?signature`? in `?(redacted_)?thinking`?|block is bound to a different/i

/** Google's errors for signatures of reasoning that it cannot use ("Thought signatures"). */
const UNKNOWN_SIGNATURE = /(invalid|corrupted) thought.?signature|thought.?signature is (not valid|invalid|corrupted)/i

const unsealedFor: Readonly<Partial<Record<Endpoint, Relief>>> = {
  responses: { adapt: unsealed('responses'), dropped: [], edits: withoutReasoningItems, left: ['input.reasoning'] },
  messages: { adapt: unsealed('anthropic'), dropped: [], edits: withoutThinkingBlocks, left: ['content.thinking'] },
  generate: { adapt: unsealed('gemini'), dropped: [], edits: withoutSignatures, left: ['contents.thoughtSignature'] },
}

/** The errors of services that only accept instructions before all messages. */
const UNKNOWN_ROLE = /role .?system.? is not supported|unexpected role .?system/i

const UNINSTRUCTED: Relief = { adapt: instructedByUser, dropped: [], edits: withoutSystemMessages, left: [] }

function instructedByUser(conversation: Conversation): Conversation {
  const { instructions, dialogue: messages } = instructionsApart(conversation.turns)
  return { ...conversation, turns: [...instructions, ...messages.map(asUser)] }
}

function withoutSummary(conversation: Conversation): Conversation {
  const { show: _, summary: __, ...reasoning } = conversation.reasoning ?? {}
  return { ...conversation, reasoning }
}
