import type { TestKind } from './api/channel-runs.ts'

/** The kind of calls that a model serves, by its name (docs/reference/channels.md#tests). */
export function modelKind(model: string): TestKind {
  const name = model.toLowerCase()
  return kinds.find(([pattern]) => pattern.test(name))?.[1] ?? 'chat'
}

export const isChat = (model: string): boolean => modelKind(model) === 'chat'

/** Patterns on lower-case model names; the first match wins. */
const kinds: readonly (readonly [RegExp, TestKind])[] = [
  [/tts|whisper|transcribe|realtime|moderation|audio-preview|computer-use/, 'none'],
  [/^sora|^veo|^mj_|^suno_|^swap_face$|^chirp/, 'none'],
  [/rerank/, 'rerank'],
  [/embed|bge-|^m3e/, 'embeddings'],
  [
    /dall-e|gpt-image|chatgpt-image|imagen|flux|stable-diffusion|cogview|seedream|^wanx|^qwen-image|^grok-2-image/,
    'images',
  ],
  [/codex|^o\d-pro|^gpt-[5-9][\w.-]*-pro|deep-research/, 'responses'],
  [/^(gpt-3\.5-turbo-instruct|davinci-002|babbage-002|text-(davinci|curie|babbage|ada)-\d)/, 'completions'],
]
