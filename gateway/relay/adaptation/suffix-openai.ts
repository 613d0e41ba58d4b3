import { objectIn } from '../../base/json.ts'
import { type Effort, efforts, type Turn } from '../formats/conversation.ts'
import type { Call } from '../model/call.ts'
import type { Endpoint } from '../model/endpoint.ts'
import { type ModelSuffix, noSuffix } from './no-suffix.ts'

/** OpenAI's models that reason: nothing else that begins with an "o". */
const REASONING = /^(o\d|gpt-5)/
const CHATTING = /^gpt-5[\w.-]*-chat/
const SUFFIX = /^(.+)-(high|medium|low|minimal|none|xhigh)$/
/** Their first reasoning models take `system` only. */
const SYSTEM_ONLY = /^o1-(mini|preview)/

/**
 * What OpenAI's reasoning models want otherwise (spec/relay.md §2.3 "openai"): an effort at the end of the name is the
 * effort, `max_tokens` is called `max_completion_tokens`, sampling is not theirs to take, `system` is `developer`.
 */
export function openaiSuffix(call: Call, upstreamEndpoint: Endpoint, name: string): ModelSuffix {
  if (!REASONING.test(name) || CHATTING.test(name)) return noSuffix(name)
  const [, stripped, suffix] = SUFFIX.exec(name) ?? []
  const effort = efforts.find((known) => known === suffix)
  const model = effort && stripped ? stripped : name
  return {
    model,
    edits: upstreamEndpoint === 'responses' ? responsesEdits(call, effort) : chatEdits(call, model, effort),
    adapt: (conversation) => ({
      ...conversation,
      turns: SYSTEM_ONLY.test(model) ? conversation.turns : conversation.turns.map(asDeveloper),
      ...(effort ? { reasoning: { ...conversation.reasoning, effort } } : {}),
    }),
  }
}

const asDeveloper = (turn: Turn): Turn => (turn.role === 'system' ? { ...turn, role: 'developer' } : turn)

function responsesEdits({ json }: Call, effort: Effort | undefined): ReadonlyMap<string, unknown> {
  const edits = new Map<string, unknown>(sampling(json))
  if (effort) edits.set('reasoning', { ...objectIn(json.reasoning), effort })
  return edits
}

function chatEdits({ json }: Call, model: string, effort: Effort | undefined): ReadonlyMap<string, unknown> {
  const edits = new Map<string, unknown>(sampling(json))
  if (effort) edits.set('reasoning_effort', effort)
  if ('max_tokens' in json) {
    edits.set('max_tokens', undefined)
    if (!json.max_completion_tokens) edits.set('max_completion_tokens', json.max_tokens)
  }
  const [first, ...others] = Array.isArray(json.messages) ? json.messages : []
  if (objectIn(first).role === 'system' && !SYSTEM_ONLY.test(model))
    edits.set('messages', [{ ...objectIn(first), role: 'developer' }, ...others])
  return edits
}

const sampling = (json: Call['json']) =>
  ['temperature', 'top_p', 'logprobs', 'top_logprobs']
    .filter((field) => field in json)
    .map((field) => [field, undefined] as const)
