import { present } from '../../../base/json/json.ts'
import { chatModel, type Refusable, refusedBy } from '../../capabilities/chat-models.ts'
import type { Json, RequestTarget } from '../codec.ts'
import type { Conversation, OutputFormat } from '../conversation.ts'
import { MAX_TOP } from '../log-probabilities.ts'
import { cannotSay, withoutRefused } from '../refusals.ts'
import { messagesOut } from './messages-out.ts'
import { effortOf, reasoningOut } from './reasoning-out.ts'
import { toolsOut } from './tools-out.ts'

/** Writes a Chat Completions request, for OpenAI itself or a vendor of its dialect as `target` says. */
export function encodeRequest(asked: Conversation, target: RequestTarget): Json {
  const conversation = withoutRefused(asked, refused(asked, target), target.drop)
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

/** What the model refuses: clients of this dialect know that of theirs, and others than OpenAI may serve its models otherwise. */
function refused({ reasoning, extras }: Conversation, target: RequestTarget): readonly Refusable[] {
  const model = chatModel(target.model)
  if (extras.from === 'openai' || (model?.isOpenAi && !target.strictOpenai)) return []
  return refusedBy(model, effortOf(reasoning))
}

/** The likelihood of each token; OpenAI's own clients know how many it tells. */
function logProbabilitiesOut({ logProbabilities: wanted, extras }: Conversation): Json {
  if (!wanted) return {}
  const top = extras.from === 'openai' ? wanted.top : Math.min(wanted.top, MAX_TOP)
  return { logprobs: true, top_logprobs: top > 0 ? top : undefined }
}

/** OpenAI takes no more than these. */
const MAX_STOPS = 4

/** One text, or several; OpenAI's own clients know how many it takes. */
function stopOut({ stop, extras }: Conversation, target: RequestTarget): string | readonly string[] | undefined {
  if (stop?.length === 1) return stop[0]
  if (!stop || !target.strictOpenai || extras.from === 'openai' || stop.length <= MAX_STOPS) return stop
  target.drop('stop')
  return stop.slice(0, MAX_STOPS)
}

/** Vendors of this dialect take it; OpenAI does not. */
function topK({ topK: wanted }: Conversation, target: RequestTarget): number | undefined {
  if (wanted === undefined || !target.strictOpenai) return wanted
  target.drop('topK')
  return undefined
}

/** A schema has to have a name here. */
function outputOut(output: OutputFormat): Json {
  if (output.type === 'json') return { type: 'json_object' }
  const { name = 'response', description, schema, strict } = output
  return { type: 'json_schema', json_schema: present({ name, description, schema, strict }) }
}

/** `modalities` and `audio`; speech needs a voice and a format, and streams as PCM alone. Pictures OpenAI has only elsewhere. */
function spokenOut({ modalities, voice, stream, extras }: Conversation, target: RequestTarget): Json {
  if (modalities?.includes('image') && target.strictOpenai && extras.from !== 'openai')
    throw cannotSay('modalities', 'openai')
  const usual = stream ? 'pcm16' : 'wav'
  const isSpoken = modalities?.includes('audio') && extras.fields.audio === undefined
  const audio = voice || isSpoken ? { voice: voice?.name ?? 'alloy', format: voice?.container ?? usual } : undefined
  return { modalities, audio }
}

/** Whether an answer is kept is a matter between a client of OpenAI's and OpenAI. */
function sharedOut({ shared, extras }: Conversation, target: RequestTarget): Json {
  if (target.strictOpenai || extras.from === 'openai') return shared
  const { store, ...rest } = shared
  return rest
}

/** Fields of this dialect as they came; those of another are reported by name. */
function extrasOut({ extras }: Conversation, target: RequestTarget): Json {
  if (extras.from === 'openai') return extras.fields
  for (const name in extras.fields) target.drop(name)
  return {}
}
