import type { JsonObject } from '../../../base/json.ts'
import type { ReasoningPart } from '../conversation.ts'

/** A thought as an item of the input; thoughts that OpenAI has not sealed itself are not taken back by it and left out. */
export function thoughtItem({ text, signature }: ReasoningPart): JsonObject | undefined {
  if (signature?.by !== 'responses') return undefined
  const { id, value } = signature
  return {
    type: 'reasoning',
    ...(id === undefined ? {} : { id }),
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    ...(value === '' ? {} : { encrypted_content: value }),
  }
}
