import { type JsonObject, objectIn } from '../../base/json.ts'
import { messagesEdit } from './messages.ts'
import { elsewhere } from './openai-family.ts'
import type { NamedModel, Provider } from './provider.ts'

const SUFFIX = /^(deepseek-v4-.+)-(none|max)$/

/**
 * DeepSeek: completions are of its beta; a v4 model's name may say how it is to think; a turn with calls says what was
 * thought before them, be it nothing (docs/reference/channel-types.md#deepseek).
 */
export const deepseek: Provider = {
  ...elsewhere({ chat: '/v1/chat/completions', completions: '/beta/completions' }),
  parseModelName(name): NamedModel {
    const [, model, thinking] = SUFFIX.exec(name) ?? []
    if (!model) return { model: name }
    if (thinking === 'none') return { model, members: { thinking: { type: 'disabled' }, reasoning_effort: undefined } }
    return { model, members: { thinking: { type: 'enabled' }, reasoning_effort: 'max' } }
  },
  patchBody(json, { endpoint }) {
    const thinking = objectIn(json.thinking)
    if (endpoint !== 'chat' || thinking.type === 'disabled') return NOTHING
    const edits = new Map(messagesEdit(json, withThoughts))
    if (thinking.type === 'adaptive') edits.set('thinking', { ...thinking, type: 'enabled' })
    return edits
  },
}

const NOTHING: ReadonlyMap<string, unknown> = new Map()

/** Callers of other dialects and conversations that another vendor began have no thoughts, without which it refuses. */
function withThoughts(message: JsonObject): JsonObject {
  if (message.tool_calls === undefined || typeof message.reasoning_content === 'string') return message
  return { ...message, reasoning_content: '' }
}
