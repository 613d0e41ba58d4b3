import { present } from '../../../base/json/json.ts'
import { chatModel, type Refusable, refusedBy } from '../../capabilities/chat-models.ts'
import type { Json, RequestTarget } from '../codec.ts'
import type { Conversation, OutputFormat } from '../conversation.ts'
import { MAX_TOP } from '../log-probabilities.ts'
import { cannotSay, withoutRefused } from '../refusals.ts'
import { messagesOut } from './messages-out.ts'
import { effortOf, reasoningOut } from './reasoning-out.ts'
import { toolsOut } from './tools-out.ts'

export function encodeRequest(original: Conversation, target: RequestTarget): Json {
  const conversation = withoutRefused(original, refused(original, target), target.drop)
  return present({
    model: target.model,
    messages: messagesOut(conversation, target),
    stream: conversation.stream ? true : undefined,
    stream_options: conversation.stream && target.streamOptions ? { include_usage: true } : undefined,
    ...toolsOut(conversation, target),
    [target.strictOpenai ? 'max_completion_tokens' : 'max_tokens']: conversation.maxOutput,
    temperature: conversation.temperature,
    top_p: conversation.topP,
    top_k: topK(conversation, target),
    frequency_penalty: conversation.frequencyPenalty,
    presence_penalty: conversation.presencePenalty,
    seed: conversation.seed,
    stop: stopOut(conversation, target),
    n: conversation.choices,
    ...logProbabilitiesOut(conversation),
    ...reasoningOut(conversation, target),
    response_format: conversation.output && outputOut(conversation.output),
    ...spokenOut(conversation, target),
    user: conversation.user,
    prompt_cache_key: conversation.cacheKey,
    ...sharedOut(conversation, target),
    ...extrasOut(conversation, target),
  })
}

/**
 * Returns the fields that the model refuses: none for clients of this dialect, which know their model, and for OpenAI's
 * models at other vendors, which may support them.
 */
function refused({ reasoning, extras }: Conversation, target: RequestTarget): readonly Refusable[] {
  const model = chatModel(target.model)
  if (extras.from === 'openai' || (model?.isOpenAi && !target.strictOpenai)) return []
  return refusedBy(model, effortOf(reasoning))
}

/** Limits `top_logprobs`; clients of this dialect know its maximum, so their values are unchanged. */
function logProbabilitiesOut({ logProbabilities: requested, extras }: Conversation): Json {
  if (!requested) return {}
  const top = extras.from === 'openai' ? requested.top : Math.min(requested.top, MAX_TOP)
  return { logprobs: true, top_logprobs: top > 0 ? top : undefined }
}

const MAX_STOPS = 4

/** Limits `stop` for OpenAI; clients of this dialect know its maximum, so their values are unchanged. */
function stopOut({ stop, extras }: Conversation, target: RequestTarget): string | readonly string[] | undefined {
  if (stop?.length === 1) return stop[0]
  if (!stop || !target.strictOpenai || extras.from === 'openai' || stop.length <= MAX_STOPS) return stop
  target.drop('stop')
  return stop.slice(0, MAX_STOPS)
}

/** Compatible vendors support `top_k`; OpenAI does not. */
function topK({ topK: requested }: Conversation, target: RequestTarget): number | undefined {
  if (requested === undefined || !target.strictOpenai) return requested
  target.drop('topK')
  return undefined
}

/** This dialect requires a name for the schema. */
function outputOut(output: OutputFormat): Json {
  if (output.type === 'json') return { type: 'json_object' }
  const { name = 'response', description, schema, strict } = output
  return { type: 'json_schema', json_schema: present({ name, description, schema, strict }) }
}

/**
 * Writes `modalities` and `audio`; audio requires a voice and a format, and streams only as PCM. OpenAI generates
 * images only at other endpoints.
 */
function spokenOut({ modalities, voice, stream, extras }: Conversation, target: RequestTarget): Json {
  if (modalities?.includes('image') && target.strictOpenai && extras.from !== 'openai')
    throw cannotSay('modalities', 'openai')
  const defaultFormat = stream ? 'pcm16' : 'wav'
  const requestsAudio = modalities?.includes('audio') && extras.fields.audio === undefined
  const audio =
    voice || requestsAudio ? { voice: voice?.name ?? 'alloy', format: voice?.container ?? defaultFormat } : undefined
  return { modalities, audio }
}

/** `store` concerns only OpenAI and clients of this dialect. */
function sharedOut({ shared, extras }: Conversation, target: RequestTarget): Json {
  if (target.strictOpenai || extras.from === 'openai') return shared
  const { store, ...rest } = shared
  return rest
}

function extrasOut({ extras }: Conversation, target: RequestTarget): Json {
  if (extras.from === 'openai') return extras.fields
  for (const name in extras.fields) target.drop(name)
  return {}
}
