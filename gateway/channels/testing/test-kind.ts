import type { TestKind } from '../../../shared/api/channel-runs.ts'
import { channelTypes } from '../../../shared/channel-types.ts'

/** What a model's name, in lower case, says of it; the first that fits counts. */
const kinds: readonly (readonly [RegExp, TestKind])[] = [
  [/tts|whisper|transcribe|realtime|moderation|audio-preview|computer-use/, 'none'],
  [/^sora|^veo|^mj_|^suno_|^swap_face$|^chirp/, 'none'],
  [/rerank/, 'rerank'],
  [/embed|bge-|^m3e/, 'embeddings'],
  [
    /dall-e|gpt-image|chatgpt-image|imagen|flux|stable-diffusion|cogview|seedream|^wanx|^qwen-image|^grok-2-image/,
    'images',
  ],
  [/codex|^o\d-pro|^gpt-5[\w.-]*-pro|deep-research/, 'responses'],
  [/^(gpt-3\.5-turbo-instruct|davinci-002|babbage-002|text-(davinci|curie|babbage|ada)-\d)/, 'completions'],
]

/**
 * What a model is tested with, by the upstream's name of it (spec/relay.md §8.5). `none` for models that no short
 * request can test: they hear, speak, film, make music or only judge.
 */
export function testKindOf(channelType: number, model: string): TestKind {
  if (channelType === channelTypes.mokaai.id) return 'embeddings'
  const name = model.toLowerCase()
  return kinds.find(([pattern]) => pattern.test(name))?.[1] ?? 'chat'
}

/** Whether a model answers chat, as far as its name tells. */
export const isChat = (model: string): boolean => testKindOf(0, model) === 'chat'
