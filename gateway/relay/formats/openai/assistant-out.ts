import type { Json, RequestTarget } from '../codec.ts'
import type { MediaPart, Part, ReasoningPart, TextPart, ToolCallPart, Turn } from '../conversation.ts'
import { callIdOut } from './call-id.ts'
import { isMember, membersOut, reportMarks, textContent } from './content-out.ts'
import { inlineImage, markdownImage } from './markdown-image.ts'
import { callSignatureOut } from './thought-signature.ts'
import { detailOut } from './thoughts.ts'

/** Writes an assistant turn. `content` is null if it only has calls, a refusal or audio. */
export function assistantOut(turn: Turn, target: RequestTarget): Json {
  const texts = turn.parts.flatMap((part) => textOf(part, target))
  const calls = turn.parts.filter((part) => part.type === 'tool-call').map((part) => callOut(part, target))
  const refusal = turn.parts.filter((part) => part.type === 'refusal').map((part) => part.text)
  const audio = turn.parts.flatMap((part) => spokenIn(part))
  const hasMore = calls.length > 0 || refusal.length > 0 || audio.length > 0
  return {
    role: 'assistant',
    ...(turn.name === undefined ? {} : { name: turn.name }),
    ...thoughtsOut(turn.parts, target),
    content: texts.length === 0 && hasMore ? null : textContent(texts, '', target),
    ...(refusal.length > 0 ? { refusal: refusal.join('') } : {}),
    ...(audio.length > 0 ? { audio: { id: audio.at(-1) } } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...membersOut(turn.parts),
  }
}

/**
 * Returns the text; the model's images are written as Markdown, as in its responses
 * (docs/reference/conversion.md#gemini-to-openai).
 */
function textOf(part: Part, target: RequestTarget): readonly TextPart[] {
  if (part.type === 'text') return [part]
  if (part.type === 'extra' && !isMember(part)) target.drop(`content.${part.name}`)
  if (part.type !== 'media' || spokenIn(part).length > 0) return []
  const picture = imageOf(part)
  if (picture === undefined) target.drop(part.kind)
  return picture === undefined ? [] : [{ type: 'text', text: picture, cache: part.cache }]
}

function imageOf({ kind, source }: MediaPart): string | undefined {
  if (source.type === 'text') return source.text
  if (kind !== 'image' || source.type === 'file') return undefined
  return source.type === 'url' ? markdownImage(source.url) : inlineImage(source.mime, source.data)
}

/** Returns the id of the model's audio, which OpenAI knows until it expires. */
const spokenIn = (part: Part): readonly string[] =>
  part.type === 'media' && part.kind === 'audio' && part.source.type === 'file' && part.source.of === 'openai'
    ? [part.source.id]
    : []

/**
 * Writes a call; a custom tool's becomes a function call with one text for targets other than OpenAI. Only Google's
 * seals are written, and only for its models.
 */
function callOut(call: ToolCallPart, target: RequestTarget): Json {
  reportMarks([call.cache], target)
  const { name } = call
  const id = callIdOut(call.id, target)
  if (call.custom && target.strictOpenai) return { id, type: 'custom', custom: { name, input: call.arguments } }
  const text = call.custom ? JSON.stringify({ input: call.arguments }) : call.arguments
  const seal = call.signature?.by === 'gemini' && /gemini/i.test(target.model) ? call.signature : undefined
  return {
    id,
    type: 'function',
    function: { name, arguments: text },
    ...callSignatureOut(target.strictOpenai ? undefined : seal),
  }
}

/**
 * OpenAI's own API accepts no reasoning back. Other vendors get the text, and `reasoning_details` if one of its items
 * is sealed; OpenRouter then gets only the latter.
 */
function thoughtsOut(parts: readonly Part[], target: RequestTarget): Json {
  const thoughts = parts.filter((part) => part.type === 'reasoning')
  if (target.strictOpenai || thoughts.length === 0) return {}
  const details = thoughts.flatMap((part, index) => sealedDetail(part, index, target))
  const isSealed = details.some((detail) => 'signature' in detail || 'data' in detail)
  const readable = thoughts.filter((part) => !part.redacted)
  const plain = readable.length > 0 ? { reasoning_content: readable.map((part) => part.text).join('') } : {}
  if (!isSealed) return plain
  return target.cacheMarks ? { reasoning_details: details } : { ...plain, reasoning_details: details }
}

/**
 * Leaves out seals of other vendors, and reasoning whose text only such a seal carries; Anthropic's seals are valid for
 * its models at OpenRouter.
 */
function sealedDetail(part: ReasoningPart, index: number, target: RequestTarget): readonly Json[] {
  const { text, signature, redacted } = part
  const flags = redacted ? { redacted } : {}
  if (signature?.by === 'openai') {
    const { id, ...seal } = signature
    const item = detailOut({ text, signature: seal, ...flags }, index)
    return [id === undefined ? item : { ...item, id }]
  }
  if (signature?.by === 'anthropic' && target.cacheMarks) {
    const item = detailOut({ text, signature: { by: 'openai', value: signature.value }, ...flags }, index)
    return [{ ...item, format: 'anthropic-claude-v1' }]
  }
  return redacted ? [] : [detailOut({ text }, index)]
}
