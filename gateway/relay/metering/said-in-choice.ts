import { isObject, type JsonObject, objectIn, objectsIn, textIn } from '../../base/json.ts'
import { thinkingText } from '../formats/openai/content-in.ts'
import type { TokenEstimator } from '../tokenizer/estimate.ts'
import { type Besides, listen } from './besides-text.ts'

/**
 * Feeds what a choice of OpenAI's dialect produced to the estimator, in the order in which a stream has it and in all the
 * shapes that its reader knows (formats/openai/choice-reader.ts), so that both count alike; `besides` takes the rest.
 */
export function estimateChoice(estimator: TokenEstimator, choice: Readonly<JsonObject>, besides: Besides): void {
  if (typeof choice.text === 'string') estimator.add(choice.text)
  const said = isObject(choice.delta) ? choice.delta : choice.message
  if (!isObject(said)) return
  const { content, refusal, audio } = said
  estimator.add(textIn(said.reasoning_content) || (textIn(said.reasoning) ?? ''))
  if (typeof content === 'string') estimator.add(content)
  else if (Array.isArray(content)) estimateParts(estimator, content)
  if (typeof refusal === 'string') estimator.add(refusal)
  if (isObject(audio)) {
    estimator.add(textIn(audio.transcript) ?? '')
    listen(besides, audio.data)
  }
  const calls = isObject(said.function_call) ? [{ function: said.function_call }] : []
  besides.calls = Math.max(besides.calls, estimateCalls(estimator, said.tool_calls ?? calls))
}

/** The parts that Mistral's thinking models answer with. */
function estimateParts(estimator: TokenEstimator, content: unknown): void {
  for (const part of objectsIn(content)) {
    if (part.type === 'thinking') estimator.add(thinkingText(part.thinking))
    else if (part.type === 'text') estimator.add(textIn(part.text) ?? '')
  }
}

/** More calls than these are in no answer: an index beyond them is not believed. */
const MAX_CALLS = 128

/** How many calls there are so far, by their number or their index. */
function estimateCalls(estimator: TokenEstimator, items: unknown): number {
  if (!Array.isArray(items)) return 0
  let calls = 0
  for (const item of items) {
    if (!isObject(item)) continue
    const { name, arguments: json, input } = objectIn(item.custom ?? item.function)
    const isNumbered = typeof item.index === 'number' && item.index < MAX_CALLS
    calls = Math.max(calls + 1, isNumbered ? Number(item.index) + 1 : 0)
    estimator.add(textIn(name) ?? '')
    estimator.add(textIn(json) ?? textIn(input) ?? '')
  }
  return calls
}
