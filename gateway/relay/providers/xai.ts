import { chatModel } from '../capabilities/chat-models.ts'
import { openaiFamily } from './openai-family.ts'
import { xaiImages } from './own-fields.ts'
import type { NamedModel, Provider } from './provider.ts'

const SEARCHING = /^(.+)-search$/
const THINKING = /^(grok-3-mini.*)-(high|medium|low)$/

/**
 * xAI: a model's name may enable search, and set the effort of the small model (docs/reference/channel-types.md#xai).
 */
export const xai: Provider = {
  ...openaiFamily,
  paths: { ...openaiFamily.paths, responses: ({ channel }) => `${channel.baseUrl}/v1/responses` },
  // xAI's channels have always used Chat Completions; callers of Responses send tools that only OpenAI has.
  apiFormatOf: (model) => chatModel(model)?.apiFormat ?? 'chat',
  // Settings in a name are only written into bodies of Chat Completions.
  supports: (endpoint, model) => endpoint !== 'responses' || !(SEARCHING.test(model) || THINKING.test(model)),
  bridges: { images: xaiImages },
  parseModelName(name): NamedModel {
    const [, searching] = SEARCHING.exec(name) ?? []
    const [, thinking, reasoning_effort] = THINKING.exec(searching ?? name) ?? []
    const members = {
      ...(searching && { search_parameters: { mode: 'on' } }),
      ...(reasoning_effort && { reasoning_effort }),
    }
    return { model: thinking ?? searching ?? name, members }
  },
  patchBody(json, { model }) {
    if (!model.startsWith('grok-3-mini') || !('max_tokens' in json)) return new Map()
    const max = json.max_completion_tokens || json.max_tokens
    return new Map([
      ['max_tokens', undefined],
      ['max_completion_tokens', max],
    ])
  },
}
