import { elsewhere } from './openai-family.ts'
import type { NamedModel, Provider } from './provider.ts'

const SUFFIX = /^(deepseek-v4-.+)-(none|max)$/

/**
 * DeepSeek: completions are of its beta; a v4 model's name may say how it is to think
 * (docs/reference/channel-types.md#deepseek).
 */
export const deepseek: Provider = {
  ...elsewhere({ chat: '/v1/chat/completions', completions: '/beta/completions' }),
  parseModelName(name): NamedModel {
    const [, model, thinking] = SUFFIX.exec(name) ?? []
    if (!model) return { model: name }
    if (thinking === 'none') return { model, members: { thinking: { type: 'disabled' }, reasoning_effort: undefined } }
    return { model, members: { thinking: { type: 'enabled' }, reasoning_effort: 'max' } }
  },
}
