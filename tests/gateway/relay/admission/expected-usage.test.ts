import { describe, expect, it } from 'vitest'
import { expectedOf } from '../../../../gateway/relay/admission/expected-usage.ts'
import { createOutputLimits } from '../../../../gateway/relay/admission/model-output-limits.ts'
import { callFrom, jsonBody } from '../../../../gateway/relay/intake/parse.ts'
import { routeFor } from '../../../../gateway/relay/intake/relay-routes.ts'
import type { Expected } from '../../../../gateway/relay/model/plan.ts'

const limits = createOutputLimits({ byModel: {}, otherwise: 8192 })
const paths = {
  chat: '/v1/chat/completions',
  completions: '/v1/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
  generate: '/v1beta/models/gemini-2.5-pro:generateContent',
  generateByOpenai: '/v1beta/models/gpt-4o:generateContent',
  embeddings: '/v1/embeddings',
  images: '/v1/images/generations',
} as const

/** The expected usage of a request with these members. */
async function expected(asked: keyof typeof paths, members: object): Promise<Expected> {
  const found = routeFor('POST', paths[asked])
  if (!found) throw new Error('no such path')
  const usual = { model: 'm', messages: [{ role: 'user', content: 'hi' }], input: 'hi', prompt: 'hi' }
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
  const call = await callFrom(found, await jsonBody(Buffer.from(JSON.stringify({ ...usual, contents, ...members }))))
  return expectedOf(call, limits(call.model), true)
}
const HUGE = { max_tokens: 10, n: 128, thinking_budget: 1e308 }
const TEXT_URL = 'data:text/plain;base64,'
const parts = (...of: object[]) => ({ contents: [{ role: 'user', parts: of }] })
const content = (...parts: object[]) => ({ messages: [{ role: 'user', content: parts }] })

describe('the potential usage of a call (docs/reference/billing.md#hold)', () => {
  it.each([
    ['plain text', 'chat', {}, undefined],
    [
      'a mark for the cache',
      'messages',
      content({ type: 'text', cache_control: { type: 'ephemeral' } }),
      { cacheLife: 'minutes' },
    ],
    [
      'one of an hour',
      'messages',
      { system: [{ cache_control: { ttl: '1h' } }], tools: [{ cache_control: {} }] },
      { cacheLife: 'hour' },
    ],
    ['one for the whole', 'messages', { cache_control: { type: 'ephemeral' } }, { cacheLife: 'minutes' }],
    [
      'one of Responses',
      'responses',
      { input: [{ content: [{ prompt_cache_breakpoint: {} }] }] },
      { cacheLife: 'minutes' },
    ],
    ['what is converted for a Claude', 'responses', { model: 'claude-opus-5' }, { cacheLife: 'minutes' }],
    ['what a Claude’s own client leaves unmarked', 'messages', { model: 'claude-opus-5' }, undefined],
    ['an image', 'chat', content({ type: 'image_url', image_url: { url: 'https://x/y' } }), { hasImages: true }],
    [
      'an image that a tool gave',
      'messages',
      content({ type: 'tool_result', content: [{ type: 'image' }] }),
      { hasImages: true },
    ],
    [
      'Gemini’s image',
      'generate',
      { contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data: '' } }] }] },
      { hasImages: true },
    ],
    ['sound heard', 'chat', content({ type: 'input_audio', input_audio: {} }), { hasAudioInput: true }],
    [
      'Gemini’s sound',
      'generate',
      { contents: [{ parts: [{ file_data: { mime_type: 'audio/mp3' } }] }] },
      { hasAudioInput: true },
    ],
    ['sound said', 'chat', { modalities: ['text', 'audio'] }, { hasAudioOutput: true }],
    [
      'sound that Gemini says',
      'generate',
      { generationConfig: { responseModalities: ['AUDIO'] } },
      { hasAudioOutput: true },
    ],
    ['a search of a chat', 'chat', { web_search_options: {} }, { webSearches: 1 }],
    [
      'searches of Responses',
      'responses',
      { tools: [{ type: 'web_search' }, { type: 'file_search' }] },
      { webSearches: 5, fileSearches: 5 },
    ],
    [
      'as many as are allowed',
      'responses',
      { tools: [{ type: 'web_search_preview' }], max_tool_calls: 2 },
      { webSearches: 2 },
    ],
    [
      'Claude’s',
      'messages',
      { tools: [{ type: 'web_search_20250305', max_uses: 8 }] },
      { webSearches: 8, isClaude: true },
    ],
    ['Gemini’s', 'generate', { tools: [{ googleSearch: {} }] }, { webSearches: 5 }],
    [
      'the usual number where the caller’s is less than nothing',
      'responses',
      { tools: [{ type: 'web_search', max_uses: -1000 }, { type: 'file_search' }], max_tool_calls: -1 },
      { webSearches: 5, fileSearches: 5 },
    ],
  ] as const)('%s', async (_, asked, members, possible) => {
    const told = (await expected(asked, members)).possible
    if (possible === undefined) expect(told).toBeUndefined()
    else expect(told).toMatchObject(possible)
  })
})

describe('the longest output of a call', () => {
  it.each([
    ['what the model can give', 'chat', {}, 8192],
    ['what its caller allows', 'chat', { max_tokens: 100 }, 100],
    ['the larger of two', 'chat', { max_tokens: 100, max_completion_tokens: 200 }, 200],
    ['that of every choice', 'chat', { max_tokens: 100, n: 3 }, 300],
    ['that of those which are not shown', 'completions', { max_tokens: 100, n: 2, best_of: 4 }, 400],
    ['of Responses', 'responses', { max_output_tokens: 70 }, 70],
    ['of every candidate', 'generate', { generationConfig: { maxOutputTokens: 50, candidateCount: 2 } }, 100],
    ['under its other names', 'generate', { generation_config: { max_output_tokens: 50, candidate_count: 2 } }, 100],
    ['with thought inside', 'messages', { max_tokens: 4096, thinking: { budget_tokens: 2048 } }, 4096],
    [
      'with thought that does not fit inside',
      'messages',
      { max_tokens: 1000, thinking: { budget_tokens: 2048 } },
      3048,
    ],
    ['with thought beside', 'chat', { model: 'qwen3-max', max_tokens: 10, thinking_budget: 500 }, 510],
    ['with thought that nobody asked for', 'chat', { model: 'qwen3.6-plus', max_tokens: 10, stream: true }, 81_930],
    ['of a whole answer, without it', 'chat', { model: 'qwen3.6-plus', max_tokens: 10 }, 10],
    [
      'with the longest thought where the caller’s is less than nothing',
      'chat',
      { model: 'qwen3-max', max_tokens: 10, thinking_budget: -1e9 },
      81_930,
    ],
    [
      'with the thought that an effort stands for',
      'chat',
      { model: 'claude-sonnet-4', max_tokens: 10, reasoning_effort: 'high' },
      4106,
    ],
    ['a number still where the caller’s are beyond all numbers', 'chat', { ...HUGE, model: 'qwen3-max' }, 128e9 + 1280],
    ['nothing', 'embeddings', {}, 0],
  ] as const)('is %s', async (_, asked, members, output) => {
    expect((await expected(asked, members)).output).toBe(output)
  })

  it('is never more bytes of prompt than there are, with images as their model counts them', async () => {
    const plain = await expected('chat', {})
    expect(plain.maxPrompt).toBeGreaterThan(2 * plain.prompt)
    const seeing = await expected('chat', {
      model: 'gpt-4o',
      ...content({ type: 'image_url', image_url: { url: 'https://x/y' } }),
    })
    expect(seeing.maxPrompt).toBeGreaterThan(85 + 170 * 8)
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(1_000_000)}` } }
    expect((await expected('chat', content(image))).maxPrompt).toBeLessThan(10_000)
  })

  it.each([
    ['a file', 'chat', content({ type: 'file', file: { file_data: 'JVBERi0=' } })],
    ['one by its id', 'responses', { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file_1' }] }] }],
    ['a document', 'messages', content({ type: 'document', source: { type: 'url', url: 'https://x/y' } })],
    ['one in a result', 'messages', content({ type: 'tool_result', content: [{ type: 'document', source: {} }] })],
    ['a film', 'generate', parts({ inlineData: { mimeType: 'video/mp4', data: 'AA' } })],
    ['Gemini’s file', 'generate', parts({ fileData: { mimeType: 'text/plain', fileUri: 'https://x/y' } })],
    ['JSON by its name', 'generate', parts({ inlineData: { mimeType: 'application/json', data: 'AA' } })],
    ['sound by its address', 'chat', content({ type: 'input_audio', input_audio: { data: 'https://x/y' } })],
    ['what was said before', 'responses', { previous_response_id: 'resp_1' }],
    ['a conversation of the vendor', 'responses', { conversation: { id: 'conv_1' } }],
    ['a prompt of the vendor', 'responses', { prompt: { id: 'pmpt_1' } }],
    ['an item of the vendor', 'responses', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['a cache of the vendor', 'generate', { cachedContent: 'cachedContents/1' }],
  ] as const)('is the maximum of models where %s has an unknown size', async (_, asked, members) => {
    const { prompt, maxPrompt, hasUnknownPrompt } = await expected(asked, members)
    expect(hasUnknownPrompt).toBe(true)
    expect(maxPrompt).toBe(1_048_576)
    expect(prompt).toBeLessThan(100)
  })

  it.each([
    ['Gemini’s image', 'generateByOpenai', parts({ inlineData: { mimeType: 'image/png', data: 'AA' } }), false],
    [
      'Gemini’s image by its address',
      'generateByOpenai',
      parts({ fileData: { mimeType: 'image/png', fileUri: 'x' } }),
      true,
    ],
    ['an image', 'chat', content({ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }), false],
    ['an image by its address', 'chat', content({ type: 'image_url', image_url: { url: 'https://x/y' } }), true],
  ] as const)('%s has an unknown size only without its bytes', async (_, asked, members, isUnknown) => {
    expect(await expected(asked, { ...members, model: 'gpt-4o' })).toMatchObject({ hasUnknownPrompt: isUnknown })
  })

  it('is a token for each twenty bytes of a recording', async () => {
    const data = 'A'.repeat(1_000_000)
    const { maxPrompt } = await expected('chat', content({ type: 'input_audio', input_audio: { data } }))
    expect(maxPrompt).toEqual(expect.closeTo(50_000 + 5000, -3))
  })

  it.each([
    ['a document', 'messages', (data: string) => content({ type: 'document', source: { type: 'text', data } })],
    ['what a tool is called with', 'messages', (url: string) => content({ type: 'tool_use', input: { url } })],
    ['Gemini’s call', 'generate', (data: string) => parts({ functionCall: { args: { data } } })],
    ['Gemini’s result', 'generate', (data: string) => parts({ function_response: { response: { data } } })],
    ['a file of text', 'generate', (data: string) => parts({ inlineData: { mimeType: 'text/plain', data } })],
    ['one by its address', 'chat', (text: string) => content({ type: 'file', file: { file_data: TEXT_URL + text } })],
    ['a tool', 'chat', (data: string) => ({ tools: [{ function: { parameters: { data } } }] })],
    [
      'the call of a tool of the vendor',
      'messages',
      (data: string) => content({ type: 'mcp_tool_use', input: { data } }),
    ],
    [
      'what a search was for',
      'responses',
      (url: string) => ({ input: [{ type: 'web_search_call', action: { url } }] }),
    ],
    ['a schema', 'chat', (data: string) => ({ response_format: { json_schema: { schema: { default: { data } } } } })],
    [
      'where a text comes from',
      'responses',
      (url: string) => ({ input: [{ content: [{ type: 'output_text', annotations: [{ url }] }] }] }),
    ],
    ['a member that nobody knows', 'chat', (file_data: string) => ({ extra: { file_data } })],
  ] as const)('counts %s as the text it is, though it has no spaces', async (_, asked, of) => {
    const { prompt, maxPrompt } = await expected(asked, of('A'.repeat(900_000)))
    expect([prompt, maxPrompt]).toEqual([expect.closeTo(300_000, -3), expect.closeTo(900_000, -5)])
  })
})
