import { describe, expect, it } from 'vitest'
import {
  type OverflowFigures,
  overflowFigures,
  overflowWordings,
  reportsOverflow,
} from '../../../../gateway/relay/upstream/overflow-wordings.ts'

/** Sentences of vendors, and the figures in them. */
const sentences: readonly (readonly [vendor: string, sentence: string, figures: OverflowFigures])[] = [
  ['Anthropic', 'prompt is too long: 210118 tokens > 200000 maximum', { tokens: 210_118, limit: 200_000 }],
  [
    'Anthropic',
    'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
    { tokens: 188_240, output: 21_333, limit: 200_000 },
  ],
  [
    'OpenAI',
    "This model's maximum context length is 16384 tokens. However, your messages resulted in 16630 tokens. Please reduce the length of the messages.",
    { tokens: 16_630, limit: 16_384 },
  ],
  [
    'OpenAI',
    "This model's maximum context length is 8192 tokens. However, you requested 8213 tokens (6683 in the messages, 730 in the functions, and 800 in the completion). Please reduce the length of the messages, functions, or completion.",
    { tokens: 6683, output: 800, limit: 8192 },
  ],
  ['OpenAI', 'Your input exceeds the context window of this model. Please adjust your input and try again.', {}],
  [
    'OpenAI',
    'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 289650 tokens. Please reduce the length of the messages.',
    { tokens: 289_650, limit: 272_000 },
  ],
  [
    'DeepSeek',
    "This model's maximum context length is 131072 tokens. However, you requested 131134 tokens (122942 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.",
    { tokens: 122_942, output: 8192, limit: 131_072 },
  ],
  [
    'OpenRouter',
    "This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens (36000 of text input, 4000 in the output). Please reduce the length of either one.",
    { tokens: 36_000, output: 4000, limit: 32_768 },
  ],
  [
    'a vLLM behind LiteLLM',
    "Requested token count exceeds the model's maximum context length of 163840 tokens. You requested a total of 183491 tokens: 19651 tokens from the input messages and 163840 tokens for the completion.",
    { tokens: 19_651, output: 163_840, limit: 163_840 },
  ],
  [
    'vLLM',
    "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 32768 tokens and your request has 30000 input tokens (8192 > 32768 - 30000).",
    { tokens: 30_000, output: 8192, limit: 32_768 },
  ],
  [
    'vLLM',
    'The decoder prompt (length 40960) is longer than the maximum model length of 32768. Make sure that `max_model_len` is no smaller.',
    { tokens: 40_960, limit: 32_768 },
  ],
  [
    'Gemini',
    'The input token count (1196265) exceeds the maximum number of tokens allowed (1048576).',
    { tokens: 1_196_265, limit: 1_048_576 },
  ],
  ['Gemini', 'The input token count exceeds the maximum number of tokens allowed 1048576.', {}],
  [
    'Vertex',
    'Unable to submit request because the input token count is 40000 but model only supports up to 32768. Reduce the input token count and try again.',
    { tokens: 40_000, limit: 32_768 },
  ],
  ['Gemini', 'Request payload size exceeds the limit: 20971520 bytes.', {}],
  ['Bedrock', 'Input is too long for requested model.', {}],
  [
    'Bedrock, Nova',
    'The model returned the following errors: Too many input tokens. Max input tokens: 300000, request input token count: 312000',
    { tokens: 312_000, limit: 300_000 },
  ],
  [
    'Bedrock, Claude',
    'The model returned the following errors: prompt is too long: 212233 tokens > 200000 maximum',
    { tokens: 212_233, limit: 200_000 },
  ],
  [
    'xAI',
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    { tokens: 537_812, limit: 131_072 },
  ],
  ['Groq', 'Please reduce the length of the messages or completion.', {}],
  [
    'Cerebras',
    'Please reduce the length of the messages or completion. Current length is 65690 while limit is 65536',
    { tokens: 65_690, limit: 65_536 },
  ],
  [
    'Fireworks',
    'The prompt is too long: 40177, model maximum context length: 32767',
    { tokens: 40_177, limit: 32_767 },
  ],
  [
    'Mistral',
    'Prompt contains 40432 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    { tokens: 40_432, limit: 32_768 },
  ],
  [
    'Cohere',
    'too many tokens: total number of tokens in the prompt cannot exceed 128000 - received 140000. Try using a shorter prompt.',
    { tokens: 140_000, limit: 128_000 },
  ],
  [
    'Alibaba',
    '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 73728]',
    { limit: 73_728 },
  ],
  ['Zhipu', 'Prompt exceeds max length', {}],
  ['Zhipu', 'Prompt 超长', {}],
  [
    'Moonshot',
    'Invalid request: Your request exceeded model token limit: 262144 (requested: 262147)',
    { tokens: 262_147, limit: 262_144 },
  ],
  ['MiniMax', 'invalid params, context window exceeds limit (2013)', {}],
  ['Baidu', 'prompt tokens too long', {}],
  ['Baidu', 'the max input characters is 20000', {}],
  ['iFlytek', 'token数量超过上限', {}],
  [
    'Volcengine',
    'The request failed because the input length 40000 exceeds the maximum length 32768',
    { tokens: 40_000, limit: 32_768 },
  ],
  ['Volcengine', 'Total tokens of image and text exceed max message tokens', {}],
  [
    'SiliconFlow',
    'input tokens (40000) have exceeded max_prompt_tokens (32768) limit.',
    { tokens: 40_000, limit: 32_768 },
  ],
  ['SiliconFlow', 'length of prompt_tokens (40000) must be less than max_seq_len (32768).', {}],
  [
    'Cloudflare',
    'AiError: The estimated number of input and maximum output tokens (33000) exceeded this model context window limit (32768).',
    { tokens: 33_000, limit: 32_768 },
  ],
  ['Ollama', 'prompt too long; exceeded max context length by 12 tokens', {}],
  ['Ollama', 'the input length exceeds the context length', {}],
  [
    'SGLang',
    "The input (40000 tokens) is longer than the model's context length (32768 tokens).",
    { tokens: 40_000, limit: 32_768 },
  ],
  [
    'llama.cpp',
    'request (481909 tokens) exceeds the available context size (32768 tokens), try increasing it',
    { tokens: 481_909, limit: 32_768 },
  ],
  ['llama.cpp', 'the request exceeds the available context size, try increasing it', {}],
  [
    'LM Studio',
    'The number of tokens to keep from the initial prompt (9000) is greater than the context length (4096). Try to load the model with a larger context length.',
    { tokens: 9000, limit: 4096 },
  ],
  [
    'Hugging Face',
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4200 `inputs` tokens and 100 `max_new_tokens`',
    { tokens: 4200, output: 100, limit: 4096 },
  ],
  ['GitHub Copilot', 'prompt token count of 74490 exceeds the limit of 72000', { tokens: 74_490, limit: 72_000 }],
]

describe('a prompt that is too long (docs/reference/errors.md#context-overflow)', () => {
  it.each(sentences)('is recognised in the words of %s: %s', (_, sentence, figures) => {
    expect(reportsOverflow('', '', sentence)).toBe(true)
    expect(overflowFigures(sentence)).toEqual(figures)
  })

  it('has a sentence here for every wording of the table', () => {
    const unsaid = overflowWordings.filter(({ wording }) => !sentences.some(([, sentence]) => wording.test(sentence)))
    expect(unsaid.map(({ vendor, wording }) => [vendor, wording])).toEqual([])
    const unread = overflowWordings.filter(
      ({ figures }) => figures && !sentences.some(([, sentence]) => figures.test(sentence)),
    )
    expect(unread.map(({ vendor, figures }) => [vendor, figures])).toEqual([])
  })

  it.each([
    'context_length_exceeded',
    'request_too_large',
    'exceed_context_size_error',
    'model_max_prompt_tokens_exceeded',
    'tokens_too_long',
    '1261',
    '10907',
    '336007',
    '336103',
  ])('is recognised by the code %s', (code) => {
    expect([reportsOverflow('', code, ''), reportsOverflow(code, '', '')]).toEqual([true, true])
  })

  it.each([
    'max_tokens is too large: 20000. This model supports at most 16384 completion tokens, whereas you provided 20000.',
    'max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for this model',
    'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 40000.',
    'You exceeded your current quota, please check your plan and billing details.',
    'messages: at least one message is required',
    'This request would exceed the rate limit of 50,000 input tokens per minute.',
    'image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes',
  ])('is not: %s', (sentence) => {
    expect(reportsOverflow('invalid_request_error', '', sentence)).toBe(false)
  })

  it('is recognized only at the beginning of a sentence', () => {
    const long = `${'x'.repeat(5000)} prompt is too long: 5 tokens > 4 maximum`
    expect([reportsOverflow('', '', long), overflowFigures(long)]).toEqual([false, {}])
  })
})
