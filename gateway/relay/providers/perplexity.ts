import { limitEdits } from './ignored-params.ts'
import { messagesEdit, without } from './messages.ts'
import { elsewhere } from './openai-family.ts'
import { topPWithin } from './own-fields.ts'
import type { Provider } from './provider.ts'

const MAX_TOP_P = 0.99

/**
 * Perplexity: OpenAI's wire format without `/v1`; its search options are passed on
 * (docs/reference/channel-types.md#perplexity).
 */
export const perplexity: Provider = {
  ...elsewhere({ chat: '/chat/completions' }),
  patchBody(json, _, drop) {
    const names = messagesEdit(json, (message) => without(message, ['name']))
    if (names.length > 0) drop('messages.name')
    return new Map([...topPWithin(json, 0, MAX_TOP_P), ...limitEdits(json), ...names])
  },
}
