import { flagIn, isObject, objectsIn, textIn } from '../../../base/json/json.ts'
import { argumentsIn } from '../call-arguments.ts'
import type { Json } from '../codec.ts'
import type { MediaPart, Part, ReasoningPart, TextPart } from '../conversation.ts'
import { malformed } from '../refusals.ts'
import { unsealed } from '../signature.ts'
import { flatName } from '../tool-names.ts'
import { addition, additionsOf, cacheIn } from './cache-mark.ts'
import { isMedia, mediaIn } from './media.ts'

export function partsIn(content: unknown, field: string): readonly Part[] {
  if (content == null) return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) throw malformed(field)
  return content.flatMap((block) => blockIn(block, field))
}

/**
 * Returns a block's parts: its conversion, then its members that only this dialect has. Unknown kinds become extras.
 */
function blockIn(block: unknown, field: string): readonly Part[] {
  if (!isObject(block) || typeof block.type !== 'string') throw malformed(field)
  if (block.type === 'text') return textBlock(block, field)
  if (block.type === 'tool_use') return toolUse(block, field)
  if (block.type === 'tool_result') return toolResult(block, field)
  if (block.type === 'thinking') return [thought(textIn(block.thinking) ?? '', textIn(block.signature))]
  if (block.type === 'redacted_thinking') return [{ ...thought('', textIn(block.data)), redacted: true }]
  const media = isMedia(block) ? mediaIn(block) : undefined
  if (media) return [...contextOf(block), media.part, ...media.additions]
  const description = describedBlock(block)
  if (description !== undefined) return [{ type: 'text', text: description, ...cacheIn(block), ...original(block) }]
  return [{ type: 'extra', of: 'anthropic', name: block.type, value: block }]
}

/** A document's context, which other dialects cannot attach, becomes a text before it. */
function contextOf({ context, title }: Json): readonly TextPart[] {
  if (typeof context !== 'string' || context === '') return []
  const name = textIn(title) ?? 'the document that follows'
  return [{ type: 'text', text: `About ${name}: ${context}`, ...original(null) }]
}

/** Stores the block of this dialect that a text replaces for others. */
const original = (value: Json | null): Pick<TextPart, 'original'> => ({ original: { of: 'anthropic', value } })

function describedBlock(block: Json): string | undefined {
  if (block.type === 'search_result') return searchResult(block)
  if (block.type === 'tool_reference')
    return typeof block.tool_name === 'string' ? `The tool ${flatName(block.tool_name)} can be called now.` : undefined
  if (block.type !== 'compaction' || typeof block.content !== 'string') return undefined
  return `Earlier parts of this conversation have been replaced by this summary of them:\n\n${block.content}`
}

/** An empty list of citations has no meaning and is left out. */
function textBlock(block: Json, field: string): readonly Part[] {
  const text = textIn(block.text)
  if (text === undefined) throw malformed(`${field}.text`)
  const uncited = Array.isArray(block.citations) && block.citations.length === 0
  return [{ type: 'text', text, ...cacheIn(block) }, ...additionsOf(block, uncited ? KNOWN.uncited : KNOWN.text)]
}

/** The seal may be another vendor's, from an earlier response to this client. */
const thought = (text: string, signature: string | undefined): ReasoningPart => ({
  type: 'reasoning',
  text,
  ...(signature ? { signature: unsealed(signature, 'anthropic') } : {}),
})

/** A `direct` caller, the model itself, is the default and is left out. */
function toolUse(block: Json, field: string): readonly Part[] {
  const id = textIn(block.id)
  const name = textIn(block.name)
  if (id === undefined || name === undefined) throw malformed(`${field}.tool_use`)
  const direct = isObject(block.caller) && block.caller.type === 'direct'
  return [
    { type: 'tool-call', id, name, arguments: argumentsIn(block.input), ...cacheIn(block) },
    ...additionsOf(block, direct ? KNOWN.directUse : KNOWN.use),
  ]
}

/** If other dialects cannot express all of the content, the original follows as an addition. */
function toolResult(block: Json, field: string): readonly Part[] {
  const callId = textIn(block.tool_use_id)
  if (callId === undefined) throw malformed(`${field}.tool_result`)
  const { content, whole } = resultContent(block.content, `${field}.tool_result`)
  const isError = flagIn(block.is_error)
  return [
    { type: 'tool-result', callId, content, ...(isError === undefined ? {} : { isError }), ...cacheIn(block) },
    ...(whole ? [] : [addition('content', block.content, 'tool_result.content')]),
    ...additionsOf(block, KNOWN.result),
  ]
}

/**
 * Returns a result's text and media; `whole` is false if there is more, so that the original has to be stored as well.
 */
function resultContent(content: unknown, field: string): { content: (TextPart | MediaPart)[]; whole: boolean } {
  const found: (TextPart | MediaPart)[] = []
  let whole = true
  for (const block of Array.isArray(content) ? content : partsIn(content, field)) {
    const parts = blockIn(block, field)
    for (const part of parts) {
      if (part.type === 'text' || part.type === 'media') found.push(part)
      else if (part.type !== 'extra' || !part.isCovered) whole = false
    }
  }
  return { content: found, whole }
}

function searchResult({ title, source, content }: Json): string {
  const texts = objectsIn(content).map((one) => textIn(one.text) ?? '')
  return [textIn(title) ?? '', textIn(source) ?? '', ...texts].filter((line) => line !== '').join('\n')
}

/** The members of each kind of block that a part expresses; all others become additions. */
const KNOWN = {
  text: new Set(['type', 'text', 'cache_control']),
  uncited: new Set(['type', 'text', 'cache_control', 'citations']),
  use: new Set(['type', 'id', 'name', 'input', 'cache_control']),
  directUse: new Set(['type', 'id', 'name', 'input', 'cache_control', 'caller']),
  result: new Set(['type', 'tool_use_id', 'content', 'is_error', 'cache_control']),
} satisfies Record<string, ReadonlySet<string>>
