import type { ChannelTypeName } from '../../../shared/channel-types.ts'

/** Name prefixes of a maker's models, regardless of who serves them; the first match wins. */
const beginnings: readonly (readonly [RegExp, ChannelTypeName])[] = [
  [
    /^(gpt|chatgpt|o\d|dall-e|text-(embedding-(ada|3)|davinci|curie|babbage|ada|moderation|search)|tts-|whisper|davinci|curie|babbage|ada$|omni-|sora|codex|computer-use)/,
    'openai',
  ],
  [/^(claude|anthropic)/, 'anthropic'],
  [/^(gemini|gemma|palm|imagen|veo|text-embedding-004|learnlm)/, 'gemini'],
  [/^deepseek/, 'deepseek'],
  [/^(qwen|qwq|qvq|wan\d?|text-embedding-v\d)/, 'ali'],
  [/^(glm|chatglm|cogview|cogvideo|codegeex|embedding-[23])/, 'zhipu-v4'],
  [/^(ernie|bloomz|embedding-v1|bge-large|tao-8k)/, 'baidu'],
  [/^(grok)/, 'xai'],
  [/^(mistral|mixtral|ministral|codestral|pixtral|magistral|devstral|open-mi)/, 'mistral'],
  [/^(moonshot|kimi)/, 'moonshot'],
  [/^(doubao|seed-|seedream|skylark)/, 'volcengine'],
  [/^(hunyuan)/, 'tencent'],
  [/^(sparkdesk|spark)/, 'xunfei'],
  [/^(360)/, 'zhinao'],
  [/^(abab|minimax)/, 'minimax'],
  [/^(yi-)/, 'lingyiwanwu'],
  [/^(command|c4ai|embed-|rerank-(english|multilingual|v\d))/, 'cohere'],
  [/^(sonar|pplx)/, 'perplexity'],
  [/^(jina)/, 'jina'],
  [/^(mj_|midjourney|swap_face)/, 'midjourney'],
  [/^(suno|chirp)/, 'suno'],
  [/^(llama|phi-|nous)/, 'ollama'],
  [/^(m3e|moka)/, 'mokaai'],
  [/^(nova-|amazon|titan)/, 'aws'],
]

/** The maker derived from a model's name, ignoring a path prefix; undefined if unknown. */
export function vendorOfModel(model: string): ChannelTypeName | undefined {
  const lower = model.toLowerCase()
  const name = lower.slice(lower.lastIndexOf('/') + 1)
  return beginnings.find(([beginning]) => beginning.test(name))?.[1]
}
