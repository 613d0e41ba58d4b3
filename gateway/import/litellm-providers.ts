import { type ChannelTypeName, channelTypes } from '../../shared/channel-types.ts'

/** What a provider of LiteLLM is here: a channel type, and an address where the type has another one of its own. */
type LitellmProvider = Readonly<{ type: number; base_url: string }>

const as = (name: ChannelTypeName, base_url = ''): LitellmProvider => ({ type: channelTypes[name].id, base_url })

/** Providers by the word before the first slash of a model's name. What is missing has no counterpart. */
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

/** Names without a provider that everybody knows to be somebody's. */
const bare: readonly (readonly [RegExp, string])[] = [
  [/^(gpt-|o\d|chatgpt-|text-embedding-|dall-e-|whisper-|tts-|omni-moderation)/, 'openai'],
  [/^claude-/, 'anthropic'],
  [/^gemini-/, 'vertex_ai'],
  [/^command/, 'cohere'],
]

/** The provider of a model as LiteLLM writes it, and what the provider itself calls the model; undefined where there is none. */
export function providerOf(
  model: string,
  custom = '',
): (LitellmProvider & Readonly<{ name: string; upstream: string }>) | undefined {
  if (Object.hasOwn(providers, custom)) return named(custom, model)
  const [first = '', ...rest] = model.split('/')
  if (rest.length > 0 && Object.hasOwn(providers, first)) return named(first, rest.join('/'))
  const known = rest.length === 0 ? bare.find(([pattern]) => pattern.test(model)) : undefined
  return known && named(known[1], model)
}

/** Variants of a provider's calls stand before its names of models, as in `bedrock/converse/…` and `openai/responses/…`. */
const variants = /^(converse|converse_like|invoke|responses|chat|completion)\//

function named(name: string, model: string) {
  const provider = providers[name]
  return provider && { ...provider, name, upstream: model.replace(variants, '') }
}
