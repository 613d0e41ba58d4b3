import { type JsonObject, objectIn } from '../../base/json/json.ts'
import { limitEdits, reportIgnoredParams, seldomTaken } from './ignored-params.ts'
import { isImage, messagesEdit } from './messages.ts'
import { elsewhere } from './openai-family.ts'
import type { NamedModel, Provider } from './provider.ts'

const SUFFIX = /^(deepseek-v4-.+)-(none|max)$/

/**
 * DeepSeek: completions belong to its beta API; a v4 model's name may configure thinking; assistant messages with calls
 * require `reasoning_content`, possibly empty; images are left out (docs/reference/channel-types.md#deepseek).
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
    const seen = VISION.test(model) ? same : (message: JsonObject) => withoutImages(message, drop)
    const thought = thinking.type === 'disabled' ? same : withThoughts
    const edits = new Map([...messagesEdit(json, (message) => thought(seen(message))), ...limitEdits(json)])
    reportIgnoredParams(json, IGNORED, drop)
    if (thinking.type !== 'disabled' && json.reasoning_effort !== 'none' && !NON_THINKING.test(model))
      reportIgnoredParams(json, IGNORED_THINKING, drop)
    if (thinking.type === 'adaptive') edits.set('thinking', { ...thinking, type: 'enabled' })
    return edits
  },
}

/**
 * Members missing in DeepSeek's reference ("Create Chat Completion"), and those that its models ignore while thinking
 * ("Thinking Mode").
 */
const IGNORED = [...seldomTaken, 'seed']
const IGNORED_THINKING = ['temperature', 'presence_penalty', 'frequency_penalty']
/** The model that does not think by default. */
const NON_THINKING = /^deepseek-chat$/

const NOTHING: ReadonlyMap<string, unknown> = new Map()
const same = (message: JsonObject): JsonObject => message

const VISION = /vl|vision|ocr|janus/i

/**
 * The vendor refuses requests with images, so a conversation that contains one could not continue: a note to the model
 * replaces the image, and the loss is reported to the caller.
 */
function withoutImages(message: JsonObject, drop: (name: string) => void): JsonObject {
  const { content } = message
  if (!Array.isArray(content) || !content.some(isImage)) return message
  drop('image_url')
  return { ...message, content: content.map((part: unknown) => (isImage(part) ? LEFT_OUT : part)) }
}

const LEFT_OUT = { type: 'text', text: '[An image was here. This model cannot see images.]' }

/**
 * Adds `reasoning_content` to messages with calls that lack it, from callers of other dialects and conversations begun
 * with other vendors; DeepSeek refuses calls without it.
 */
function withThoughts(message: JsonObject): JsonObject {
  if (message.tool_calls === undefined || typeof message.reasoning_content === 'string') return message
  return { ...message, reasoning_content: '' }
}
