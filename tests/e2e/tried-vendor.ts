import { chatAnswer, chatStream } from '../support/chat.ts'
import type { Recorded, Script } from '../support/upstream.ts'

/** A vendor with three models that responds, streams and calls tools. */
export function goodVendor({ path, json }: Recorded): Script {
  if (path === '/v1/models') return { body: { data: ['gpt-4o', 'gpt-4o-mini', 'house-model'].map((id) => ({ id })) } }
  if (json?.stream) return { events: chatStream(['Hello']) }
  if (!json?.tools) return { body: chatAnswer('Hello') }
  const message = { role: 'assistant', tool_calls: [{ id: 'call_1', type: 'function' }] }
  return { body: { ...chatAnswer(''), choices: [{ index: 0, message }] } }
}

/** A vendor that lists its models and refuses every call in one way. */
export const refusingVendor =
  (refusal: Pick<Script, 'status' | 'body'>) =>
  (asked: Recorded): Script =>
    asked.path === '/v1/models' ? goodVendor(asked) : refusal

/** The four refusals with different help texts (docs/reference/design.md#first-five-minutes). */
export const refusals = {
  'wrong-key': { status: 401, body: { error: { code: 'invalid_api_key', message: 'Incorrect API key provided' } } },
  'wrong-path': { status: 404, body: { error: 'Not Found' } },
  'no-such-model': { status: 404, body: { error: { code: 'model_not_found', message: 'The model does not exist' } } },
  'no-credit': { status: 402, body: { error: { message: 'Insufficient Balance' } } },
} as const satisfies Readonly<Record<string, Pick<Script, 'status' | 'body'>>>
