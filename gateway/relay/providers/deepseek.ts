import { type JsonObject, objectIn } from '../../base/json/json.ts'
import { limitEdits, reportIgnoredParams, seldomTaken } from './left-aside.ts'
import { isImage, messagesEdit } from './messages.ts'
import { elsewhere } from './openai-family.ts'
import type { NamedModel, Provider } from './provider.ts'

const SUFFIX = /^(deepseek-v4-.+)-(none|max)$/

/**
 * DeepSeek: completions are of its beta; a v4 model's name may say how it is to think; a turn with calls says what was
 * thought before them, be it nothing; pictures are left out (docs/reference/channel-types.md#deepseek).
 */
export const deepseek: Provider = {
  ...elsewhere({ chat: '/v1/chat/completions', completions: '/beta/completions' }),
  parseModelName(name): NamedModel {
    const [, model, thinking] = SUFFIX.exec(name) ?? []
    if (!model) return { model: name }
    if (thinking === 'none') return { model, members: { thinking: { type: 'disabled' }, reasoning_effort: undefined } }
    return { model, members: { thinking: { type: 'enabled' }, reasoning_effort: 'max' } }
  },
  patchBody(json, { endpoint, model }, drop) {
    if (endpoint !== 'chat') return NOTHING
    const thinking = objectIn(json.thinking)
    const seen = SEES.test(model) ? same : (message: JsonObject) => withoutPictures(message, drop)
    const thought = thinking.type === 'disabled' ? same : withThoughts
    const edits = new Map([...messagesEdit(json, (message) => thought(seen(message))), ...limitEdits(json)])
    reportIgnoredParams(json, LEFT_ASIDE, drop)
    if (thinking.type !== 'disabled' && json.reasoning_effort !== 'none' && !ANSWERS_AT_ONCE.test(model))
      reportIgnoredParams(json, LEFT_ASIDE_THINKING, drop)
    if (thinking.type === 'adaptive') edits.set('thinking', { ...thinking, type: 'enabled' })
    return edits
  },
}

/** What its reference does not have ("Create Chat Completion"), and what its models take no notice of while they think ("Thinking Mode"). */
const LEFT_ASIDE = [...seldomTaken, 'seed']
const LEFT_ASIDE_THINKING = ['temperature', 'presence_penalty', 'frequency_penalty']
/** The name of the one that does not think unless it is told to. */
const ANSWERS_AT_ONCE = /^deepseek-chat$/

const NOTHING: ReadonlyMap<string, unknown> = new Map()
const same = (message: JsonObject): JsonObject => message

/** Models of the vendor's that see, wherever they are served. */
const SEES = /vl|vision|ocr|janus/i

/**
 * The vendor refuses a request with a picture, so that a conversation that has one could never go on: the model is told
 * that there was one, and the caller that it was left out.
 */
function withoutPictures(message: JsonObject, drop: (name: string) => void): JsonObject {
  const { content } = message
  if (!Array.isArray(content) || !content.some(isImage)) return message
  drop('image_url')
  return { ...message, content: content.map((part: unknown) => (isImage(part) ? LEFT_OUT : part)) }
}

const LEFT_OUT = { type: 'text', text: '[An image was here. This model cannot see images.]' }

/** Callers of other dialects and conversations that another vendor began have no thoughts, without which it refuses. */
function withThoughts(message: JsonObject): JsonObject {
  if (message.tool_calls === undefined || typeof message.reasoning_content === 'string') return message
  return { ...message, reasoning_content: '' }
}
