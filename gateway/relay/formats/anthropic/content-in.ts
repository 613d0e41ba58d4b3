import { flagIn, isObject, objectsIn, textIn } from '../../../base/json/json.ts'
import { argumentsIn } from '../call-arguments.ts'
import type { Json } from '../codec.ts'
import type { MediaPart, Part, ReasoningPart, TextPart } from '../conversation.ts'
import { malformed } from '../refusals.ts'
import { unsealed } from '../signature.ts'
import { flatName } from '../tool-names.ts'
import { addition, additionsOf, cacheIn } from './cache-mark.ts'
import { isMedia, mediaIn } from './media.ts'

/** The parts of a message's or the system prompt's content: text, or blocks. Throws where it is neither. */
export function partsIn(content: unknown, field: string): readonly Part[] {
  if (content == null) return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) throw malformed(field)
  return content.flatMap((block) => blockIn(block, field))
}

/** A block's parts: what it is, then what only this dialect says of it. Unknown kinds are extras as a whole. */
function blockIn(block: unknown, field: string): readonly Part[] {
  if (!isObject(block) || typeof block.type !== 'string') throw malformed(field)
  if (block.type === 'text') return textBlock(block, field)
  if (block.type === 'tool_use') return toolUse(block, field)
  if (block.type === 'tool_result') return toolResult(block, field)
  if (block.type === 'thinking') return [thought(textIn(block.thinking) ?? '', textIn(block.signature))]
  if (block.type === 'redacted_thinking') return [{ ...thought('', textIn(block.data)), redacted: true }]
  const media = isMedia(block) ? mediaIn(block) : undefined
  if (media) return [...contextOf(block), media.part, ...media.additions]
  const said = saidBy(block)
  if (said !== undefined) return [{ type: 'text', text: said, ...cacheIn(block), ...original(block) }]
  return [{ type: 'extra', of: 'anthropic', name: block.type, value: block }]
}

/** What is said of a document besides its title, which has no place in others' documents: it is told before it. */
function contextOf({ context, title }: Json): readonly TextPart[] {
  if (typeof context !== 'string' || context === '') return []
  const name = textIn(title) ?? 'the document that follows'
  return [{ type: 'text', text: `About ${name}: ${context}`, ...original(null) }]
}

/** What stands in this dialect where others are told a text. */
const original = (value: Json | null): Pick<TextPart, 'original'> => ({ original: { of: 'anthropic', value } })

/** What blocks of this vendor's alone say, in words; undefined for those that cannot be put into any. */
function saidBy(block: Json): string | undefined {
  if (block.type === 'search_result') return searchResult(block)
  if (block.type === 'tool_reference')
    return typeof block.tool_name === 'string' ? `The tool ${flatName(block.tool_name)} can be called now.` : undefined
  if (block.type !== 'compaction' || typeof block.content !== 'string') return undefined
  return `Earlier parts of this conversation have been replaced by this summary of them:\n\n${block.content}`
}

/** Text with its cache mark. An empty list of citations says nothing and is left out. */
function textBlock(block: Json, field: string): readonly Part[] {
  const text = textIn(block.text)
  if (text === undefined) throw malformed(`${field}.text`)
  const uncited = Array.isArray(block.citations) && block.citations.length === 0
  return [{ type: 'text', text, ...cacheIn(block) }, ...additionsOf(block, uncited ? KNOWN.uncited : KNOWN.text)]
}

/** A thought; its seal may be another vendor's, which an answer has carried to the client. */
const thought = (text: string, signature: string | undefined): ReasoningPart => ({
  type: 'reasoning',
  text,
  ...(signature ? { signature: unsealed(signature, 'anthropic') } : {}),
})

/** A call. That the model itself was the caller goes without saying. */
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

/** A result; where others cannot take all of its content, the content follows in its own form. */
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

/** A result's text and media; `whole` is false where that is not all it says, so that the original must be kept beside it. */
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

/** What a search result says: its title, where it is from, and its text. */
function searchResult({ title, source, content }: Json): string {
  const texts = objectsIn(content).map((one) => textIn(one.text) ?? '')
  return [textIn(title) ?? '', textIn(source) ?? '', ...texts].filter((line) => line !== '').join('\n')
}

/** The members of each kind of block that have a place in a part; all others are additions. */
const KNOWN = {
  text: new Set(['type', 'text', 'cache_control']),
  uncited: new Set(['type', 'text', 'cache_control', 'citations']),
  use: new Set(['type', 'id', 'name', 'input', 'cache_control']),
  directUse: new Set(['type', 'id', 'name', 'input', 'cache_control', 'caller']),
  result: new Set(['type', 'tool_use_id', 'content', 'is_error', 'cache_control']),
} satisfies Record<string, ReadonlySet<string>>
