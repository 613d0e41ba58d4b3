import { type ChannelTypeName, channelTypes } from '../../shared/channel-types.ts'

/** The counterpart of a LiteLLM provider: a channel type, and an address if it differs from the type's default. */
type LitellmProvider = Readonly<{ type: number; base_url: string }>

const as = (name: ChannelTypeName, base_url = ''): LitellmProvider => ({ type: channelTypes[name].id, base_url })

/** Providers by the prefix of a model's name. Missing providers have no counterpart. */
const providers: Readonly<Record<string, LitellmProvider>> = {
  openai: as('openai'),
  text_completion_openai: as('openai'),
  'text-completion-openai': as('openai'),
  custom_openai: as('openai'),
  openai_like: as('openai'),
  hosted_vllm: as('openai'),
  litellm_proxy: as('openai'),
  lm_studio: as('openai'),
  llamafile: as('openai'),
  azure: as('azure'),
  azure_text: as('azure'),
  azure_ai: as('openai'),
  anthropic: as('anthropic'),
  anthropic_text: as('anthropic'),
  gemini: as('gemini'),
  vertex_ai: as('vertex'),
  vertex_ai_beta: as('vertex'),
  bedrock: as('aws'),
  ollama: as('ollama'),
  ollama_chat: as('ollama'),
  openrouter: as('openrouter'),
  deepseek: as('deepseek'),
  mistral: as('mistral'),
  codestral: as('mistral', 'https://codestral.mistral.ai'),
  cohere: as('cohere'),
  cohere_chat: as('cohere'),
  perplexity: as('perplexity'),
  xai: as('xai'),
  moonshot: as('moonshot'),
  dashscope: as('openai', 'https://dashscope-intl.aliyuncs.com/compatible-mode'),
  volcengine: as('volcengine'),
  xinference: as('xinference'),
  jina_ai: as('jina'),
  cloudflare: as('cloudflare'),
  minimax: as('minimax'),
  zai: as('zhipu-v4'),
  siliconflow: as('siliconflow'),
  groq: as('openai', 'https://api.groq.com/openai'),
  together_ai: as('openai', 'https://api.together.xyz'),
  fireworks_ai: as('openai', 'https://api.fireworks.ai/inference'),
  deepinfra: as('openai', 'https://api.deepinfra.com/v1/openai'),
  anyscale: as('openai', 'https://api.endpoints.anyscale.com'),
  nvidia_nim: as('openai', 'https://integrate.api.nvidia.com'),
  cerebras: as('openai', 'https://api.cerebras.ai'),
  sambanova: as('openai', 'https://api.sambanova.ai'),
  novita: as('openai', 'https://api.novita.ai/v3/openai'),
  nebius: as('openai', 'https://api.studio.nebius.ai'),
  hyperbolic: as('openai', 'https://api.hyperbolic.xyz'),
  featherless_ai: as('openai', 'https://api.featherless.ai'),
  ai21_chat: as('openai', 'https://api.ai21.com/studio'),
}

/** Well-known model names without a provider prefix. */
const modelPatterns: readonly (readonly [RegExp, string])[] = [
  [/^(gpt-|o\d|chatgpt-|text-embedding-|dall-e-|whisper-|tts-|omni-moderation)/, 'openai'],
  [/^claude-/, 'anthropic'],
  [/^gemini-/, 'vertex_ai'],
  [/^command/, 'cohere'],
]

/**
 * Returns the provider of a LiteLLM model, and the provider's name for the model; undefined if there is no counterpart.
 */
export function providerOf(
  model: string,
  custom = '',
): (LitellmProvider & Readonly<{ name: string; upstream: string }>) | undefined {
  if (Object.hasOwn(providers, custom)) return providerFor(custom, model)
  const [first = '', ...rest] = model.split('/')
  if (rest.length > 0 && Object.hasOwn(providers, first)) return providerFor(first, rest.join('/'))
  const known = rest.length === 0 ? modelPatterns.find(([pattern]) => pattern.test(model)) : undefined
  return known && providerFor(known[1], model)
}

/** Prefixes for variants of a provider's API, as in `bedrock/converse/…` and `openai/responses/…`. */
const variants = /^(converse|converse_like|invoke|responses|chat|completion)\//

function providerFor(name: string, model: string) {
  const provider = providers[name]
  return provider && { ...provider, name, upstream: model.replace(variants, '') }
}
