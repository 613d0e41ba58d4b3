import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { usageOf } from '../../../../../gateway/billing/usage.ts'
import { usageIn, usageOut } from '../../../../../gateway/relay/formats/openai/usage.ts'

describe('usage in the format of Chat Completions', () => {
  it.each([
    ['DeepSeek', { prompt_tokens: 9, completion_tokens: 1, prompt_cache_hit_tokens: 4 }, { cacheRead: 4 }],
    ['Moonshot', { prompt_tokens: 9, completion_tokens: 1, cached_tokens: 4 }, { cacheRead: 4 }],
    [
      'OpenRouter',
      { prompt_tokens: 9, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 2, cache_write_tokens: 3 } },
      { cacheRead: 2, cacheWrite: 3 },
    ],
    [
      'Qwen',
      {
        prompt_tokens: 9,
        completion_tokens: 1,
        prompt_tokens_details: { cached_tokens: 2, cache_creation_input_tokens: 3 },
        plugins: { search: { count: 2, strategy: 'turbo' } },
      },
      { cacheRead: 2, cacheWrite: 3, webSearches: 2 },
    ],
    [
      'LiteLLM',
      {
        prompt_tokens: 9,
        completion_tokens: 1,
        cache_creation_input_tokens: 4,
        prompt_tokens_details: {
          cache_creation_tokens: 4,
          cache_creation_token_details: { ephemeral_1h_input_tokens: 3, ephemeral_5m_input_tokens: 1 },
          web_search_requests: 1,
        },
      },
      { cacheWrite: 4, cacheWriteHour: 3, webSearches: 1 },
    ],
    [
      'new-api',
      {
        prompt_tokens: 9,
        completion_tokens: 1,
        prompt_tokens_details: { cached_creation_tokens: 4 },
        claude_cache_creation_1_h_tokens: 99,
      },
      { cacheWrite: 4, cacheWriteHour: 4 },
    ],
    [
      'Mistral with sound',
      {
        prompt_tokens: 3,
        completion_tokens: 1,
        total_tokens: 10,
        prompt_audio_seconds: 12,
        prompt_tokens_details: { audio_tokens: 6 },
      },
      { audioInput: 6 },
    ],
    [
      'OpenAI with sound',
      {
        prompt_tokens: 9,
        completion_tokens: 5,
        prompt_tokens_details: { audio_tokens: 4, image_tokens: 1 },
        completion_tokens_details: { audio_tokens: 3, reasoning_tokens: 2 },
      },
      { completion: 5, audioInput: 4, imageInput: 1, audioOutput: 3, reasoning: 2 },
    ],
    [
      'xAI, thoughts apart,',
      { prompt_tokens: 9, completion_tokens: 1, total_tokens: 15, completion_tokens_details: { reasoning_tokens: 5 } },
      { completion: 6, reasoning: 5 },
    ],
    [
      'Google, thoughts only in the total,',
      { prompt_tokens: 9, completion_tokens: 1, total_tokens: 15 },
      { completion: 6, reasoning: 5 },
    ],
    [
      'a proxy, thoughts outside the completion,',
      { prompt_tokens: 9, completion_tokens: 1, completion_tokens_details: { reasoning_tokens: 5 } },
      { completion: 6, reasoning: 5 },
    ],
    [
      'an older proxy, cache outside the prompt,',
      { prompt_tokens: 9, completion_tokens: 1, total_tokens: 15, prompt_tokens_details: { cached_tokens: 5 } },
      { cacheRead: 5 },
    ],
    ['a total that is too low', { prompt_tokens: 9, completion_tokens: 1, total_tokens: 4 }, {}],
    ['a total that is invalid', { prompt_tokens: 9, completion_tokens: 1, total_tokens: 1e12 }, {}],
    ['a total alone', { prompt_tokens: 9, total_tokens: 10 }, {}],
    ['a part beyond its whole', { prompt_tokens: 9, completion_tokens: 1, cached_tokens: 99 }, { cacheRead: 9 }],
  ])('is read in the format of %s', (_, wire, more) => {
    expect(usageIn(wire)).toEqual(usageOf({ prompt: 9, completion: 1, ...more }))
  })

  it.each([
    [{ prompt_tokens: -1, completion_tokens: 1 }],
    [{ prompt_tokens: 1.5, completion_tokens: 1 }],
    [{ prompt_tokens: '1', completion_tokens: 1 }],
    [{ prompt_tokens: 1e12, completion_tokens: 1 }],
    [{ prompt_tokens: 0, completion_tokens: 0 }],
    [null],
  ])('is not believed: %o', (wire) => {
    expect(usageIn(wire)).toBeUndefined()
  })

  it('includes the tokens that Anthropic counts outside the prompt', () => {
    const usage = usageOf({ prompt: 10, completion: 5, cacheRead: 100, cacheWrite: 20, semantics: 'anthropic' })
    expect(usageOut(usage)).toMatchObject({
      prompt_tokens: 130,
      total_tokens: 135,
      prompt_tokens_details: { cached_tokens: 100, cache_write_tokens: 20 },
    })
  })

  it('is the same when it is read again', () => {
    const figure = fc.nat(1000)
    fc.assert(
      fc.property(figure, figure, figure, figure, figure, (prompt, completion, part, written, webSearches) => {
        const [cacheRead, reasoning, audioOutput] = [
          Math.min(part, prompt),
          Math.min(part, completion),
          Math.min(written, completion),
        ]
        const cacheWrite = Math.min(written, prompt - cacheRead)
        const parts = { cacheRead, cacheWrite, reasoning, audioOutput, audioInput: cacheRead, imageInput: cacheWrite }
        const usage = usageOf({ prompt: prompt + 1, completion, ...parts, webSearches })
        expect(usageIn(usageOut(usage))).toEqual(usage)
      }),
    )
  })
})
