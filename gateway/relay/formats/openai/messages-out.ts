import type { Json, RequestTarget } from '../codec.ts'
import type { Conversation, MediaPart, TextPart, ToolResultPart, Turn } from '../conversation.ts'
import { assistantOut } from './assistant-out.ts'
import { callIdOut } from './call-id.ts'
import { isMember, membersOut, systemTexts, textContent, userContent } from './content-out.ts'
import { documentText } from './media-out.ts'

/**
 * The turns as messages. What tools answered becomes messages of their own before the rest of a user's turn; pictures
 * among it wait for the next message of the user's, since a tool's message holds text alone
 * (docs/reference/conversion.md#anthropic-to-openai).
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
      if (!isUntold(turn, message)) messages.push(message)
      continue
    }
    const { results, said } = userMessages(turn, waiting, target)
    for (const message of results) messages.push(message)
    for (const message of said) messages.push(message)
    if (said.length > 0) waiting = []
    else for (const part of turn.parts) waiting.push(...picturesIn(part))
  }
  flush()
  return messages
}

/** Whether a turn is of thoughts alone, of which nothing can be told: vendors refuse empty messages, or go on with them. */
const isUntold = ({ role, parts }: Turn, { content, reasoning_content: thought, reasoning_details: details }: Json) =>
  role === 'assistant' &&
  parts.length > 0 &&
  parts.every(({ type }) => type === 'reasoning') &&
  content === '' &&
  !thought &&
  !details

/** A turn of the user's: a message for each result, then one for the rest, unless there is nothing of it to tell. */
function userMessages(turn: Turn, waiting: readonly MediaPart[], target: RequestTarget) {
  const results = turn.parts.filter((part) => part.type === 'tool-result').map((part) => resultOut(part, target))
  const rest = turn.parts.filter((part) => part.type !== 'tool-result' && !isMember(part))
  const members = membersOut(turn.parts)
  const shown = turn.parts.flatMap(picturesIn)
  const content = rest.length > 0 || results.length === 0 ? userContent([...waiting, ...shown, ...rest], target) : ''
  if (content === '' && results.length > 0) {
    const last = results.length - 1
    return { results: results.map((result, index) => (index === last ? { ...result, ...members } : result)), said: [] }
  }
  return { results, said: [{ role: 'user', ...named(turn), content, ...members }] }
}

/** Only OpenAI's own models know the developer's role. */
function systemOut(turn: Turn, target: RequestTarget): Json {
  const role = turn.role === 'developer' && target.strictOpenai ? 'developer' : 'system'
  const content = textContent(systemTexts(turn.parts, target), '\n', target)
  return { role, ...named(turn), content, ...membersOut(turn.parts) }
}

const named = (turn: Turn): Json => (turn.name === undefined ? {} : { name: turn.name })

/** A result is text alone; this dialect cannot say that it is an error, nor what its tool is called. */
function resultOut(result: ToolResultPart, target: RequestTarget): Json {
  if (result.isError) target.drop('isError')
  const texts = result.content.flatMap(textIn)
  const marked =
    result.cache && texts.length > 0 ? [...texts.slice(0, -1), ...texts.slice(-1).map(withMark(result))] : texts
  return { role: 'tool', tool_call_id: callIdOut(result.callId, target), content: textContent(marked, '\n', target) }
}

/** A mark on the whole result stands on its last text. */
const withMark =
  (result: ToolResultPart) =>
  (part: TextPart): TextPart => ({ ...part, cache: part.cache ?? result.cache })

/** What a result says in text; a document given as text is text. */
function textIn(part: TextPart | MediaPart): readonly TextPart[] {
  if (part.type === 'text') return [part]
  if (part.source.type !== 'text') return []
  return [{ type: 'text', text: documentText(part.source.text, part.name), cache: part.cache }]
}

/** The media of a tool's result that text cannot hold. */
const picturesIn = (part: Turn['parts'][number]): readonly MediaPart[] =>
  part.type === 'tool-result'
    ? part.content.flatMap((inner) => (inner.type === 'media' && inner.source.type !== 'text' ? [inner] : []))
    : []
