import { isObject, objectsIn, textIn } from '../../../base/json/json.ts'
import type { Json } from '../codec.ts'
import type { MediaPart, Part, TextPart } from '../conversation.ts'
import { malformed } from '../refusals.ts'
import { markIn } from './fields.ts'
import { mediaIn } from './media-in.ts'

export function contentIn(content: unknown): readonly Part[] {
  if (content === undefined || content === null) return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) throw malformed('messages.content')
  return content.map(partIn)
}

/** Reads the content of a tool message: text and media; parts of other types become their JSON. */
export const resultContentIn = (content: unknown): readonly (TextPart | MediaPart)[] =>
  isObject(content)
    ? [{ type: 'text', text: JSON.stringify(content) }]
    : contentIn(content).map((part) =>
        part.type === 'text' || part.type === 'media'
          ? part
          : { type: 'text', text: JSON.stringify(part.type === 'extra' ? part.value : part) },
      )

/** Mistral's models return reasoning in parts of type `thinking`. */
function partIn(part: unknown): Part {
  if (typeof part === 'string') return { type: 'text', text: part }
  if (!isObject(part)) throw malformed('messages.content')
  if (part.type === 'text') return textPartIn(part)
  if (part.type === 'refusal') return { type: 'refusal', text: textIn(part.refusal) ?? '' }
  if (part.type === 'thinking') return { type: 'reasoning', text: thinkingText(part.thinking) }
  return mediaIn(part) ?? { type: 'extra', of: 'openai', name: nameOf(part), value: part }
}

function textPartIn(part: Json): TextPart {
  const text = textIn(part.text)
  if (text === undefined) throw malformed('messages.content.text')
  return { type: 'text', text, ...markIn(part) }
}

export const thinkingText = (thinking: unknown): string =>
  textIn(thinking) ??
  objectsIn(thinking)
    .map((part) => textIn(part.text) ?? '')
    .join('')

function nameOf(part: Json): string {
  const type = textIn(part.type)
  if (!type) throw malformed('messages.content.type')
  return type
}
