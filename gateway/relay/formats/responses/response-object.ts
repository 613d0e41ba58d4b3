import { type JsonObject, objectIn } from '../../../base/json/json.ts'
import type { Usage } from '../../../billing/usage.ts'
import type { AnswerFrame } from '../codec.ts'
import { writeUsage } from './usage.ts'

/** Progress of a response. `incomplete` is why it was truncated, `error` why it failed. */
type ResponseProgress = Readonly<{
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed'
  output: readonly JsonObject[]
  incomplete?: string | undefined
  error?: JsonObject
  usage?: Usage
}>

/**
 * Returns the `response` object, which repeats the request's settings, with OpenAI's defaults for the rest. `store` is
 * whether the gateway can return it again.
 */
export function responseObject(
  {
    id,
    model,
    created,
    request,
    isStored = false,
  }: Pick<AnswerFrame, 'id' | 'model' | 'created' | 'request' | 'isStored'>,
  progress: ResponseProgress,
): JsonObject {
  const { status, output, incomplete, error = null, usage } = progress
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: created,
    status,
    background: false,
    error,
    incomplete_details: incomplete === undefined ? null : { reason: incomplete },
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    max_tool_calls: request.max_tool_calls ?? null,
    model,
    output,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    ...(request.conversation ? { conversation: request.conversation } : {}),
    previous_response_id: request.previous_response_id ?? null,
    prompt_cache_key: request.prompt_cache_key ?? null,
    reasoning: { effort: null, summary: null, ...objectIn(request.reasoning) },
    safety_identifier: request.safety_identifier ?? null,
    service_tier: 'default',
    store: isStored,
    temperature: request.temperature ?? 1,
    text: { format: { type: 'text' }, ...objectIn(request.text) },
    tool_choice: request.tool_choice ?? 'auto',
    tools: request.tools ?? [],
    top_logprobs: request.top_logprobs ?? 0,
    top_p: request.top_p ?? 1,
    truncation: request.truncation ?? 'disabled',
    usage: usage ? writeUsage(usage) : null,
    user: request.user ?? null,
    metadata: request.metadata ?? {},
  }
}
