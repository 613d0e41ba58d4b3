/** Tokens of a prompt and of the model's limit, as reported by a vendor; `output` is the requested output. */
export type OverflowFigures = Readonly<{ tokens?: number; limit?: number; output?: number }>

/** A vendor's message for a prompt that is longer than its model's context, and its source. */
type OverflowWording = Readonly<{ vendor: string; document: string; wording: RegExp; figures?: RegExp }>

/**
 * Context overflow in the words of each vendor (docs/reference/errors.md#context-overflow). `figures` reads the numbers
 * of a message, in the groups `tokens`, `limit` and `output`. Wordings shared with rate limits are not listed.
 */
export const overflowWordings: readonly OverflowWording[] = [
  {
    vendor: 'Anthropic',
    document: 'API, Errors',
    wording: /prompt is too long/i,
    figures: /prompt is too long: (?<tokens>\d+) tokens > (?<limit>\d+)/i,
  },
  {
    vendor: 'Anthropic',
    document: 'API, Context windows',
    wording: /input length and `?max_tokens`? exceed context limit/i,
    figures: /exceed context limit: (?<tokens>\d+) \+ (?<output>\d+) > (?<limit>\d+)/i,
  },
  {
    vendor: 'OpenAI; DeepSeek, OpenRouter, vLLM and others after it',
    document: 'Error codes, context_length_exceeded',
    wording: /maximum context length/i,
    figures:
      /maximum context length (?:is|of) (?<limit>\d+) tokens.{0,80}?(?:resulted in|requested(?: about| a total of)?) \d+ tokens(?: \(|: )(?<tokens>\d+) (?:tokens )?(?:in|of|from) (?:your |the )?(?:input )?(?:messages|prompt|text input)(?:.{0,40}?(?<output>\d+) (?:tokens )?(?:in|for) the (?:completion|output))?/i,
  },
  {
    vendor: 'vLLM',
    document: 'OpenAI-compatible server, max_tokens',
    wording: /maximum context length is \d+ tokens and your request has \d+ input tokens/i,
    figures:
      /is too large: (?<output>\d+)\. This model's maximum context length is (?<limit>\d+) tokens and your request has (?<tokens>\d+) input tokens/i,
  },
  {
    vendor: 'OpenAI',
    document: 'Error codes, context_length_exceeded',
    wording: /maximum context length is \d+ tokens/i,
    figures:
      /maximum context length is (?<limit>\d+) tokens.{0,40}(?:resulted in|requested(?: about)?) (?<tokens>\d+) tokens/i,
  },
  { vendor: 'OpenAI', document: 'Responses, response.failed', wording: /exceeds the context window/i },
  {
    vendor: 'OpenAI',
    document: 'Error codes, context_length_exceeded',
    wording: /input tokens exceed the configured limit/i,
    figures: /limit of (?<limit>\d+) tokens\. Your messages resulted in (?<tokens>\d+) tokens/i,
  },
  {
    vendor: 'Google',
    document: 'Gemini API, Troubleshooting',
    wording: /input token count.{0,40}exceeds the maximum number of tokens/i,
    figures: /input token count \((?<tokens>\d+)\) exceeds the maximum number of tokens allowed \((?<limit>\d+)\)/i,
  },
  {
    vendor: 'Google',
    document: 'Vertex AI, Generative AI errors',
    wording: /input token count is \d+ but (?:the )?model only supports up to \d+/i,
    figures: /input token count is (?<tokens>\d+) but (?:the )?model only supports up to (?<limit>\d+)/i,
  },
  { vendor: 'Google', document: 'Gemini API, Files', wording: /request payload size exceeds the limit/i },
  { vendor: 'AWS', document: 'Bedrock, InvokeModel', wording: /input is too long for requested model/i },
  {
    vendor: 'AWS',
    document: 'Bedrock, Amazon Nova',
    wording: /too many input tokens\. max input tokens/i,
    figures: /max input tokens: (?<limit>\d+), request input token count: (?<tokens>\d+)/i,
  },
  {
    vendor: 'xAI',
    document: 'API reference, Debugging errors',
    wording: /maximum prompt length is \d+/i,
    figures: /maximum prompt length is (?<limit>\d+) but the request contains (?<tokens>\d+) tokens/i,
  },
  {
    vendor: 'Groq; Cerebras',
    document: 'Error codes',
    wording: /please reduce the length of the messages/i,
    figures: /current length is (?<tokens>\d+) while limit is (?<limit>\d+)/i,
  },
  {
    vendor: 'Fireworks',
    document: 'Inference error codes',
    wording: /prompt is too long: \d+, model maximum context length/i,
    figures: /prompt is too long: (?<tokens>\d+), model maximum context length: (?<limit>\d+)/i,
  },
  {
    vendor: 'Mistral',
    document: 'API, chat completions',
    wording: /too large for model with \d+ maximum context length/i,
    figures: /contains (?<tokens>\d+) tokens.{0,80}too large for model with (?<limit>\d+) maximum context length/i,
  },
  {
    vendor: 'Cohere',
    document: 'Errors, 400',
    wording: /too many tokens: (?:the )?total number of tokens in the prompt/i,
    figures: /cannot exceed (?<limit>\d+) - received (?<tokens>\d+)/i,
  },
  {
    vendor: 'Alibaba',
    document: 'Model Studio, Error codes',
    wording: /range of input length should be/i,
    figures: /range of input length should be \[\d+, ?(?<limit>\d+)\]/i,
  },
  { vendor: 'Zhipu', document: 'Error codes, 1261', wording: /prompt exceeds max length|prompt ?超长/i },
  {
    vendor: 'Moonshot',
    document: 'Error codes, invalid_request_error',
    wording: /exceeded model token limit/i,
    figures: /exceeded model token limit: (?<limit>\d+)(?: \(requested: (?<tokens>\d+)\))?/i,
  },
  { vendor: 'MiniMax', document: 'Error codes, 2013', wording: /context window exceeds limit/i },
  {
    vendor: 'Baidu',
    document: 'Qianfan, Error codes: tokens_too_long, characters_too_long, 336007, 336103',
    wording: /prompt tokens too long|the max input characters is/i,
  },
  { vendor: 'iFlytek', document: 'Spark, Error codes, 10907', wording: /token数?量?超过上限/i },
  {
    vendor: 'Volcengine',
    document: 'Ark, Error codes',
    wording: /input length \d+ exceeds the maximum length|total tokens of image and text exceed max message tokens/i,
    figures: /input length (?<tokens>\d+) exceeds the maximum length (?<limit>\d+)/i,
  },
  {
    vendor: 'SiliconFlow',
    document: 'Error codes, 20015',
    wording: /exceeded max_prompt_tokens|prompt_tokens .{0,40}must be less than max_seq_len/i,
    figures: /input tokens \((?<tokens>\d+)\) have exceeded max_prompt_tokens \((?<limit>\d+)\)/i,
  },
  {
    vendor: 'Cloudflare',
    document: 'Workers AI, Errors, 5021',
    wording: /exceeded this model context window limit/i,
    figures: /tokens \((?<tokens>\d+)\) exceeded this model context window limit \((?<limit>\d+)\)/i,
  },
  {
    vendor: 'Ollama',
    document: 'API, Errors',
    wording: /exceeded max context length|input length exceeds the context length/i,
  },
  {
    vendor: 'vLLM',
    document: 'OpenAI-compatible server',
    wording: /longer than the maximum model length/i,
    figures: /length (?<tokens>\d+)\) is longer than the maximum model length of (?<limit>\d+)/i,
  },
  {
    vendor: 'SGLang',
    document: 'OpenAI-compatible server',
    wording: /longer than the model's context length/i,
    figures: /input \((?<tokens>\d+) tokens\) is longer than the model's context length \((?<limit>\d+) tokens\)/i,
  },
  {
    vendor: 'llama.cpp',
    document: 'Server, exceed_context_size_error',
    wording: /exceeds the available context size/i,
    figures: /request \((?<tokens>\d+) tokens\) exceeds the available context size \((?<limit>\d+) tokens\)/i,
  },
  {
    vendor: 'LM Studio',
    document: 'Server',
    wording: /greater than the context length/i,
    figures: /prompt \((?<tokens>\d+)\) is greater than the context length \((?<limit>\d+)\)/i,
  },
  {
    vendor: 'Hugging Face; Together',
    document: 'Text Generation Inference, validation',
    wording: /inputs`? tokens \+ `?max_new_tokens`? must be/i,
    figures: /must be <= (?<limit>\d+)\. Given: (?<tokens>\d+) `?inputs`? tokens and (?<output>\d+)/i,
  },
  {
    vendor: 'GitHub Copilot',
    document: 'model_max_prompt_tokens_exceeded',
    wording: /prompt token count of \d+ exceeds the limit of \d+/i,
    figures: /prompt token count of (?<tokens>\d+) exceeds the limit of (?<limit>\d+)/i,
  },
]

/** Codes and types of a context overflow, of OpenAI, Anthropic, llama.cpp, GitHub, Baidu, Zhipu and iFlytek. */
const codes: ReadonlySet<string> = new Set([
  'context_length_exceeded',
  'request_too_large',
  'exceed_context_size_error',
  'model_max_prompt_tokens_exceeded',
  'tokens_too_long',
  'characters_too_long',
  '1261',
  '10907',
  '336007',
  '336103',
])

/** Characters that are searched: vendors mention the overflow at the beginning. */
const MAX_READ = 2048

/** Whether a vendor's error means that the prompt does not fit into its model's context. */
export function reportsOverflow(type: string, code: string, message: string): boolean {
  if (codes.has(code) || codes.has(type)) return true
  const text = message.slice(0, MAX_READ)
  return overflowWordings.some(({ wording }) => wording.test(text))
}

/** The numbers in a vendor's message; empty if it has none. */
export function overflowFigures(message: string): OverflowFigures {
  const text = message.slice(0, MAX_READ)
  for (const { figures } of overflowWordings) {
    const groups = figures?.exec(text)?.groups
    if (groups) return numbered(groups)
  }
  return {}
}

function numbered(groups: Readonly<Record<string, string | undefined>>): OverflowFigures {
  const entries = Object.entries(groups).filter(([, digits]) => digits !== undefined)
  return Object.fromEntries(entries.map(([name, digits]) => [name, Number(digits)]))
}
