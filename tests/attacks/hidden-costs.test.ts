import { beforeAll, describe, expect, it } from 'vitest'
import { expectedOf } from '../../gateway/relay/admission/expected-usage.ts'
import { createOutputLimits } from '../../gateway/relay/admission/model-output-limits.ts'
import { maxImageTokens } from '../../gateway/relay/intake/image-options.ts'
import { knownInput } from '../../gateway/relay/intake/known-input.ts'
import { aWorld, type World } from '../support/world.ts'

const GEMINI = 'gemini-2.5-flash'
const generate = `/v1beta/models/${GEMINI}:generateContent`
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
const messages = [{ role: 'user', content: 'hi' }]
const parameters = { type: 'object', properties: {} }
const user = { role: 'user', content: 'hi' }
const search = { type: 'web_search' }
const inNamespace = (tool: object) => ({ type: 'namespace', name: 'n', tools: [tool] })

describe('a search that a free model runs', () => {
  let world: World
  beforeAll(async () => {
    world = await aWorld({ options: { RetryTimes: 0, ModelRatio: { [GEMINI]: 0, searcher: 0 } } })
    await world.channel({ type: 24, models: GEMINI })
    await world.channel({ models: 'searcher', model_mapping: '{"searcher":"gpt-4o-search-preview"}' })
  })

  it.each<[string, string, object]>([
    ['options of chat', '/v1/chat/completions', { messages, web_search_options: {} }],
    [
      'a function by its name',
      '/v1/chat/completions',
      { messages, tools: [{ type: 'function', function: { name: 'googleSearch', parameters } }] },
    ],
    [
      'an old function by its name',
      '/v1/chat/completions',
      { messages, functions: [{ name: 'googleSearch', parameters }] },
    ],
    [
      'a tool of Anthropic by its name',
      '/v1/messages',
      { messages, max_tokens: 9, tools: [{ name: 'googleSearch', input_schema: parameters }] },
    ],
    [
      'a function of Responses by its name',
      '/v1/responses',
      { input: 'hi', tools: [{ type: 'function', name: 'googleSearch', parameters }] },
    ],
    [
      'a custom tool by its name',
      '/v1/chat/completions',
      { messages, tools: [{ type: 'custom', custom: { name: 'googleSearch' } }] },
    ],
    [
      'a function with two names',
      '/v1/chat/completions',
      { messages, tools: [{ type: 'function', name: 'a', function: { name: 'googleSearch', parameters } }] },
    ],
    ['a tool of a namespace', '/v1/responses', { input: 'hi', tools: [inNamespace(inNamespace(search))] }],
    ['a tool that an item adds', '/v1/responses', { input: [user, { type: 'additional_tools', tools: [search] }] }],
    [
      'a tool that a search found',
      '/v1/responses',
      { input: [user, { type: 'tool_search_output', call_id: 'c', tools: [inNamespace(search)] }] },
    ],
    ['googleSearch with a type', generate, { contents, tools: [{ type: 'function', googleSearch: {} }] }],
    ['googleSearch with a name', generate, { contents, tools: [{ name: 'x', google_search: {} }] }],
    ['googleSearch with a function', generate, { contents, tools: [{ function: {}, googleSearch: {} }] }],
    ['google_search_retrieval', generate, { contents, tools: [{ google_search_retrieval: {} }] }],
    ['googleMaps', generate, { contents, tools: [{ googleMaps: {} }] }],
    ['enterpriseWebSearch', generate, { contents, tools: [{ enterpriseWebSearch: {} }] }],
  ])('costs an account without money nothing, for it is refused: %s', async (_name, path, body) => {
    const poor = await world.user({ quota: 0 })
    expect((await poor.calls(path, { model: GEMINI, ...body })).status).toBe(403)
    expect(await poor.quota()).toBe(0)
  })

  it('is not served to a key whose budget is used up, although its account has quota', async () => {
    const groundingMetadata = { webSearchQueries: ['one', 'two', 'three'] }
    const content = { role: 'model', parts: [{ text: 'found' }] }
    world.upstream.answers({
      body: {
        candidates: [{ index: 0, finishReason: 'STOP', content, groundingMetadata }],
        usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
      },
    })
    const rich = await world.user({ quota: 100_000_000 })
    const { key } = await world.token(rich, { budgets: { day: 1 } })
    const search = () => rich.calls(generate, { contents, tools: [{ googleSearch: {} }] }, { key })
    const statuses: number[] = []
    for (let call = 0; call < 5; call += 1) statuses.push((await search()).status)
    expect(statuses.slice(1).every((status) => status === 403 || status === 429)).toBe(true)
    world.upstream.reset()
  })

  it.each([
    { tools: [inNamespace({ type: 'image_generation', model: 'gpt-image-9' })] },
    { input: [user, { type: 'additional_tools', tools: [{ type: 'image_generation', model: 'gpt-image-9' }] }] },
  ])('does not let a key use a model that it may not: %j', async (more) => {
    const rich = await world.user({ quota: 1_000_000 })
    const { key } = await world.token(rich, { model_limits_enabled: true, model_limits: GEMINI })
    const { status, text } = await rich.calls('/v1/responses', { model: GEMINI, input: 'hi', ...more }, { key })
    expect([status, text]).toEqual([403, expect.stringContaining('gpt-image-9')])
  })

  it('is seen in the name that a channel has for the model', async () => {
    const poor = await world.user({ quota: 0 })
    expect((await poor.calls('/v1/chat/completions', { model: 'searcher', messages })).status).toBe(403)
  })

  it('cannot be hidden in an object instead of the list', async () => {
    const rich = await world.user({ quota: 1_000_000 })
    expect((await rich.calls(generate, { contents, tools: { googleSearch: {} } })).status).toBe(400)
    const many = Array.from({ length: 2001 }, () => ({ functionDeclarations: [] }))
    expect((await rich.calls(generate, { contents, tools: many })).status).toBe(400)
    const functionDeclarations = Array.from({ length: 2000 }, (_, at) => ({ name: `f${at}` }))
    expect((await rich.calls(generate, { contents, tools: [{ functionDeclarations }] })).status).toBe(400)
    expect(world.upstream.requests).toHaveLength(0)
  })
})

describe('content of unknown length that is added to a prompt', () => {
  const limit = createOutputLimits({ byModel: {}, otherwise: 1000 })
  const maxPrompt = (endpoint: string, json: object, model = 'big') => {
    const call = {
      endpoint,
      json,
      model,
      maxOutput: 10,
      bytes: Buffer.from(JSON.stringify(json)),
      input: null,
      stream: false,
    }
    return expectedOf(call as never, limit(model), false).maxPrompt
  }
  const file = { fileUri: 'https://files.example/1', mimeType: 'application/pdf' }

  it.each<[string, string, object]>([
    ['mcp', 'responses', { input: 'x', tools: [{ type: 'mcp', server_url: 'https://a.example' }] }],
    ['mcp_servers', 'messages', { messages, mcp_servers: [{ type: 'url', url: 'https://a.example' }] }],
    ['web_fetch', 'messages', { messages, tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] }],
    ['urlContext', 'generate', { contents, tools: [{ urlContext: {} }] }],
    ['urlContext by its name', 'chat', { messages, tools: [{ type: 'function', function: { name: 'urlContext' } }] }],
    ['a tool that is not known', 'responses', { input: 'x', tools: [{ type: 'reads_everything' }] }],
    [
      'a file in a response of a function',
      'generate',
      { contents: [{ parts: [{ functionResponse: { name: 'f', parts: [{ fileData: file }] } }] }] },
    ],
    ['a file in a system instruction', 'generate', { contents, systemInstruction: { parts: [{ fileData: file }] } }],
    ['a file in another spelling', 'generate', { contents: [{ parts: [{ FileData: file }] }] }],
    [
      'document_url',
      'chat',
      { messages: [{ role: 'user', content: [{ type: 'document_url', document_url: 'https://a.example' }] }] },
    ],
    [
      'file_url',
      'chat',
      { messages: [{ role: 'user', content: [{ type: 'file_url', file_url: { url: 'https://a.example' } }] }] },
    ],
    ['stored sound', 'chat', { messages: [...messages, { role: 'assistant', audio: { id: 'audio_1' } }] }],
  ])('reserves as much as models take: %s', (_name, endpoint, json) => {
    expect(maxPrompt(endpoint, json)).toBeGreaterThanOrEqual(1_048_576)
  })

  it.each<[string, string, object]>([
    ['a plain chat', 'chat', { messages }],
    ['functions', 'chat', { messages, tools: [{ type: 'function', function: { name: 'look', parameters } }] }],
    [
      'turns with tools',
      'messages',
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'x' }] }],
          },
        ],
      },
    ],
    [
      'turns of a coding agent',
      'responses',
      {
        input: [
          { type: 'function_call', name: 'f', arguments: '{}', call_id: 'a' },
          { type: 'function_call_output', call_id: 'a', output: 'x' },
          { type: 'reasoning', summary: [{ type: 'summary_text', text: 'x' }] },
        ],
      },
    ],
    [
      'cache marks',
      'messages',
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }] }] },
    ],
    ['code execution', 'generate', { contents, tools: [{ codeExecution: {} }] }],
  ])('reserves no more than the request allows: %s', (_name, endpoint, json) => {
    expect(maxPrompt(endpoint, json)).toBeLessThan(10_000)
  })

  it('sound is seen in both spellings of Gemini’s settings', () => {
    for (const settings of [
      { generationConfig: { responseModalities: ['AUDIO'] } },
      { generation_config: { responseModalities: ['AUDIO'] } },
      { generationConfig: { response_modalities: ['audio'] } },
    ]) {
      const call = {
        endpoint: 'generate',
        json: { contents, ...settings },
        model: 'm',
        maxOutput: 1,
        bytes: Buffer.from('{}'),
        input: null,
      }
      expect(expectedOf(call as never, limit('m'), false).possible?.hasAudioOutput).toBe(true)
    }
  })

  it('pictures are reserved by the maximum that the model may draw and read, for every name and form of the request', async () => {
    expect(maxImageTokens({ n: 10, quality: 'high' }, 'chatgpt-image-latest')).toBe(
      maxImageTokens({ n: 10, quality: 'high' }, 'gpt-image-1'),
    )
    expect(maxImageTokens({ n: 10 }, 'dall-e-3')).toBe(0)
    const images = Array.from({ length: 16 }, () => ({ image_url: 'data:image/png;base64,AAAA' }))
    const input = { endpoint: 'image-edits', json: { prompt: 'x', images }, form: null, seconds: null } as const
    expect(await knownInput(input, 'gpt-image-1')).toBeGreaterThan(16 * 6000)
  })
})
