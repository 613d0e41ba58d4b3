import type { Json, RequestTarget } from '../codec.ts'
import type { Conversation, MediaPart, TextPart, ToolResultPart, Turn } from '../conversation.ts'
import { assistantOut } from './assistant-out.ts'
import { callIdOut } from './call-id.ts'
import { isMember, membersOut, systemTexts, textContent, userContent } from './content-out.ts'
import { documentText } from './media-out.ts'

/**
 * Writes turns as messages. Tool results become separate messages before the rest of a user turn; their images and
 * other media go into that rest or, without one, into a user message that follows, since a tool message can contain
 * only text (docs/reference/conversion.md#anthropic-to-openai).
 */
export function messagesOut(conversation: Conversation, target: RequestTarget): readonly Json[] {
  const messages: Json[] = []
  let waiting: MediaPart[] = []
  const flush = () => {
    if (waiting.length > 0) messages.push({ role: 'user', content: userContent(waiting, target) })
    waiting = []
  }
  for (const turn of conversation.turns) {
    if (turn.role !== 'user') {
      flush()
      const message = turn.role === 'assistant' ? assistantOut(turn, target) : systemOut(turn, target)
      if (!isEmptyThought(turn, message)) messages.push(message)
      continue
    }
    const { results, userTurns } = userMessages(turn, waiting, target)
    for (const message of results) messages.push(message)
    for (const message of userTurns) messages.push(message)
    if (userTurns.length > 0) waiting = []
    else for (const part of turn.parts) waiting.push(...imagesIn(part))
  }
  flush()
  return messages
}

/**
 * Whether a turn consists only of reasoning that cannot be written: vendors refuse empty messages, or continue them.
 */
const isEmptyThought = (
  { role, parts }: Turn,
  { content, reasoning_content: thought, reasoning_details: details }: Json,
) =>
  role === 'assistant' &&
  parts.length > 0 &&
  parts.every(({ type }) => type === 'reasoning') &&
  content === '' &&
  !thought &&
  !details

function userMessages(turn: Turn, waiting: readonly MediaPart[], target: RequestTarget) {
  const results = turn.parts.filter((part) => part.type === 'tool-result').map((part) => resultOut(part, target))
  const rest = turn.parts.filter((part) => part.type !== 'tool-result' && !isMember(part))
  const members = membersOut(turn.parts)
  const shown = turn.parts.flatMap(imagesIn)
  const content = rest.length > 0 || results.length === 0 ? userContent([...waiting, ...shown, ...rest], target) : ''
  if (content === '' && results.length > 0) {
    const last = results.length - 1
    return {
      results: results.map((result, index) => (index === last ? { ...result, ...members } : result)),
      userTurns: [],
    }
  }
  return { results, userTurns: [{ role: 'user', ...named(turn), content, ...members }] }
}

/** Only OpenAI's own models support the developer role. */
function systemOut(turn: Turn, target: RequestTarget): Json {
  const role = turn.role === 'developer' && target.strictOpenai ? 'developer' : 'system'
  const content = textContent(systemTexts(turn.parts, target), '\n', target)
  return { role, ...named(turn), content, ...membersOut(turn.parts) }
}

const named = (turn: Turn): Json => (turn.name === undefined ? {} : { name: turn.name })

/** Writes a result as text; this dialect cannot express its error state or the name of its tool. */
function resultOut(result: ToolResultPart, target: RequestTarget): Json {
  if (result.isError) target.drop('isError')
  const texts = result.content.flatMap(textIn)
  const marked =
    result.cache && texts.length > 0 ? [...texts.slice(0, -1), ...texts.slice(-1).map(withMark(result))] : texts
  return { role: 'tool', tool_call_id: callIdOut(result.callId, target), content: textContent(marked, '\n', target) }
}

/** A mark on the whole result becomes one on its last text. */
const withMark =
  (result: ToolResultPart) =>
  (part: TextPart): TextPart => ({ ...part, cache: part.cache ?? result.cache })

function textIn(part: TextPart | MediaPart): readonly TextPart[] {
  if (part.type === 'text') return [part]
  if (part.source.type !== 'text') return []
  return [{ type: 'text', text: documentText(part.source.text, part.name), cache: part.cache }]
}

const imagesIn = (part: Turn['parts'][number]): readonly MediaPart[] =>
  part.type === 'tool-result'
    ? part.content.flatMap((inner) => (inner.type === 'media' && inner.source.type !== 'text' ? [inner] : []))
    : []
