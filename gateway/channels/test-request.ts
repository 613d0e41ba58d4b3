import type { ProbeAsk } from './probe.ts'

const MOKA = 44
const PLAIN_SECONDS = 30
const REASONING_SECONDS = 60

/** Models that no short text question can test: they hear, speak, draw, rank or answer on another endpoint only. */
const untestable = [
  /rerank/,
  /tts|whisper|transcribe|realtime|moderation|audio-preview/,
  /dall-e|gpt-image|chatgpt-image|imagen|flux|stable-diffusion|^sora|^mj_|^suno_|^swap_face$/,
  /codex|^o\d-pro|^gpt-5[\w.-]*-pro|deep-research|computer-use/,
]
const embeds = /embed|bge-|^m3e/
const completes = /^(gpt-3\.5-turbo-instruct|davinci-002|babbage-002|text-(davinci|curie|babbage|ada)-\d)/
const reasons = /^(o\d|gpt-5)|thinking|reason|deepseek-r1|qwq/

/** Whether a short request can tell if the model works. */
export const isTestable = (model: string): boolean => !untestable.some((pattern) => pattern.test(model.toLowerCase()))

/**
 * The smallest request that shows whether a model answers (spec/console.md §4.4.8, spec/relay.md §8.5); undefined for
 * models `isTestable` rules out. `model` is the upstream's name. Reasoning models get 60 seconds, others 30.
 */
export function testRequest(channelType: number, model: string): ProbeAsk | undefined {
  const name = model.toLowerCase()
  if (!isTestable(name)) return undefined
  const timeoutMs = 1000 * (reasons.test(name) ? REASONING_SECONDS : PLAIN_SECONDS)
  if (channelType === MOKA || embeds.test(name))
    return { endpoint: 'embeddings', model, body: { model, input: ['hello world'] }, timeoutMs }
  if (completes.test(name))
    return { endpoint: 'completions', model, body: { model, prompt: 'hi', max_tokens: 10 }, timeoutMs }
  const messages = [{ role: 'user', content: 'hi' }]
  return { endpoint: 'chat', model, body: { model, messages, stream: false, ...lengthLimit(name) }, timeoutMs }
}

/** Whether a model answers chat, as far as its name tells: it is neither for another endpoint nor beyond a short test. */
export const isChat = (model: string): boolean => testRequest(0, model)?.endpoint === 'chat'

function lengthLimit(name: string): Record<string, number> {
  if (/^(o\d|gpt-5)/.test(name)) return { max_completion_tokens: 10 }
  if (name.includes('thinking')) return name.includes('claude') ? {} : { max_tokens: 50 }
  return { max_tokens: name.includes('gemini') ? 300 : 10 }
}
