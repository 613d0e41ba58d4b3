import { beforeAll, beforeEach, expect, it } from 'vitest'
import { channelTypes } from '../../shared/channel-types.ts'
import { messageAnswer } from '../support/anthropic.ts'
import { chatAnswer } from '../support/chat.ts'
import { dataOf } from '../support/client.ts'
import { geminiAnswer } from '../support/gemini.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

let world: World
let mallory: Person
let guestKey: string
beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
  const { anthropic, azure, cohere, coze, dify, gemini, openai, vertex, xinference } = channelTypes
  const channels: readonly (readonly [string, number, object?])[] = [
    ['o', openai.id],
    ['a', anthropic.id],
    ['g', gemini.id],
    ['gemini-v,imagen-3.0', vertex.id, { other: 'us-central1', setting: '{"vertex_key_type":"api_key"}' }],
    ['az', azure.id, { other: '2024-10-21' }],
    ['co', cohere.id],
    ['coze-bot', coze.id, { other: '7352' }],
    ['dify-app', dify.id],
    ['x', xinference.id],
    ['raw', openai.id, { setting: '{"pass_through_body_enabled":true}' }],
    ['open', azure.id, { other: '2024-10-21', setting: '{"allow_account_data":true}' }],
  ]
  for (const [models, type, fields] of channels) await world.channel({ models, type, ...fields })
  mallory = await world.user({ quota: 1_000_000_000 })
  const expires_at = Math.floor(world.clock.now() / 1000) + 86_400
  const guest = { name: 'guest', quota: 1_000_000, expires_at, models: ['az', 'open'] }
  guestKey = dataOf(await world.admin.post('/api/share/keys', guest)).key.slice(3)
})
beforeEach(() => world.upstream.reset())

const messages = [{ role: 'user', content: 'list all salaries' }]
const withPart = (part: object) => [{ role: 'user', content: [{ type: 'text', text: 'read it' }, part] }]
const withFile = (fileUri: string) => ({
  contents: [{ parts: [{ fileData: { mimeType: 'application/pdf', fileUri } }] }],
})
const salaries = [
  { type: 'azure_search', parameters: { endpoint: 'https://acme.search.windows.net', index_name: 'hr' } },
]
const generate = (model: string) => `/v1beta/models/${model}:generateContent`
const chat = '/v1/chat/completions'
const file = { type: 'file', file: { file_id: 'file-1' } }
const inFile = { type: 'image', source: { type: 'file', file_id: 'file_1' } }
const contents = [{ parts: [{ text: 'hi' }] }]
const datastore = { retrieval: { vertexAiSearch: { datastore: 'projects/acme/dataStores/hr' } } }

it.each<readonly [string, string, object]>([
  ['data_sources', chat, { model: 'az', messages, data_sources: salaries }],
  ['dataSources', chat, { model: 'az', messages, dataSources: salaries }],
  ['data_sources', chat, { model: 'raw', messages, data_sources: salaries }],
  ['connectors', chat, { model: 'co', messages, connectors: [{ id: 'internal-drive' }] }],
  ['conversation_id', chat, { model: 'co', messages, conversation_id: 'support' }],
  ['chatId', chat, { model: 'o', messages, chatId: 'support' }],
  ['knowledge_base_id', chat, { model: 'o', messages, knowledge_base_param: { knowledge_base_id: 'kb' } }],
  ['role', chat, { model: 'o', messages: [{ role: 'cache', content: 'cache_id=1' }, ...messages] }],
  ['file_id', chat, { model: 'o', messages: withPart(file) }],
  ['content', chat, { model: 'o', messages: [{ role: 'system', content: 'fileid://file-fe-1' }, ...messages] }],
  ['instructions', '/v1/responses', { model: 'o', input: 'hi', instructions: ' fileid://file-fe-1' }],
  ['retrieval', chat, { model: 'o', messages, tools: [{ type: 'retrieval', retrieval: { knowledge_id: '1' } }] }],
  // A Go server reads this name, with its long s, as file_ids.
  ['file_id\u017f', '/v1/responses', { model: 'o', input: 'hi', tools: [{ type: 'x', file_id\u017f: ['file-1'] }] }],
  ['library_ids', chat, { model: 'o', messages, tools: [{ type: 'document_library', library_ids: ['lib-1'] }] }],
  ['upload_file_id', chat, { model: 'o', messages, files: [{ type: 'image', upload_file_id: 'file-1' }] }],
  ['prompt', '/v1/responses', { model: 'o', input: 'hi', prompt: { id: 'pmpt_1' } }],
  [
    'vector_store_ids',
    '/v1/responses',
    { model: 'o', input: 'hi', tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] },
  ],
  [
    'file_ids',
    '/v1/responses',
    {
      model: 'o',
      input: 'hi',
      tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: ['file-1'] } }],
    },
  ],
  ['file_id', '/v1/responses', { model: 'o', input: withPart({ type: 'input_file', file_id: 'file-1' }) }],
  [
    'file_id',
    '/v1/messages',
    {
      model: 'a',
      max_tokens: 9,
      messages: withPart({ type: 'document', source: { type: 'file', file_id: 'file_1' } }),
    },
  ],
  [
    'skill_id',
    '/v1/messages',
    {
      model: 'a',
      max_tokens: 9,
      messages,
      container: { skills: [{ type: 'custom', skill_id: 'skill_1', version: 'latest' }] },
    },
  ],
  [
    'cachedContent',
    generate('gemini-v'),
    { contents, cachedContent: 'projects/acme/locations/us-central1/cachedContents/1' },
  ],
  [
    'cached_content',
    generate('gemini-v'),
    { contents, cached_content: 'projects/acme/locations/us-central1/cachedContents/1' },
  ],
  ['fileUri', generate('gemini-v'), withFile('gs://acme-hr/payroll.pdf')],
  ['fileUri', generate('g'), withFile('https://generativelanguage.googleapis.com/v1beta/files/abc')],
  ['retrieval', generate('gemini-v'), { contents, tools: [datastore] }],
  [
    'file_search_store_names',
    generate('g'),
    { contents, tools: [{ file_search: { file_search_store_names: ['fileSearchStores/hr'] } }] },
  ],
  ['File_ID', chat, { model: 'o', messages: withPart({ type: 'file', File: { File_ID: 'file-1' } }) }],
  ['data_sources', '/v1/completions', { model: 'o', prompt: 'x', data_sources: salaries }],
  [
    'file_id',
    '/v1/messages',
    {
      model: 'a',
      max_tokens: 9,
      messages: withPart({ type: 'document', source: { type: 'content', content: [inFile] } }),
    },
  ],
  ['file_id', '/v1/messages/count_tokens', { model: 'a', messages: withPart(inFile) }],
  [
    'cachedContent',
    '/v1beta/models/g:countTokens',
    { cachedContent: 'cachedContents/1', generateContentRequest: { model: 'models/g', contents } },
  ],
  ['fileUri', '/v1beta/models/g:countTokens', withFile('gs://acme-hr/payroll.pdf')],
  [
    'fileUri',
    generate('g'),
    { contents: [{ parts: [{ fileData: { fileUri: 'files/a', file_uri: 'https://example.com/a' } }] }] },
  ],
  [
    'file_id',
    '/v1/responses',
    {
      model: 'o',
      input: [
        { type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot', file_id: 'file-1' } },
      ],
    },
  ],
  [
    'file_ids',
    '/v1/responses',
    { model: 'o', input: 'x', tools: [{ type: 'shell', environment: { file_ids: ['file-1'] } }] },
  ],
  [
    'skill_id',
    '/v1/responses',
    {
      model: 'o',
      input: 'x',
      tools: [{ type: 'shell', environment: { skills: [{ type: 'skill_reference', skill_id: 's' }] } }],
    },
  ],
  [
    'file_id',
    '/v1/responses',
    { model: 'o', input: 'x', tools: [{ type: 'image_generation', input_image_mask: { file_id: 'file-1' } }] },
  ],
  [
    'storage_uri',
    '/v1/models/imagen-3.0:predict',
    { instances: [{ prompt: 'x' }], parameters: { storage_uri: 'gs://acme/' } },
  ],
  [
    'gcsUri',
    '/v1/models/imagen-3.0:predict',
    { instances: [{ prompt: 'x', referenceImages: [{ referenceImage: { gcsUri: 'gs://acme/a.png' } }] }] },
  ],
  [
    'file_id',
    chat,
    { model: 'o', messages: withPart({ type: 'file', file: { file_id: 'file-1', type: 'code_execution_output' } }) },
  ],
  [
    'file_id',
    '/v1/responses',
    {
      model: 'o',
      input: [{ role: 'user', type: 'code_execution_result', content: [{ type: 'input_file', file_id: 'file-1' }] }],
    },
  ],
  ['file_id', '/v1/images/edits', { model: 'o', prompt: 'a hat', images: [{ file_id: 'file-1' }] }],
])('data of the provider’s account is not read for callers: %s at %s', async (field, path, body) => {
  const { status, text } = await mallory.calls(path, body)
  expect([status, text]).toEqual([400, expect.stringContaining('data of the provider account')])
  expect(text).toContain(field)
  expect(world.upstream.requests).toHaveLength(0)
})

it('is read if the channel allows it, also for guests', async () => {
  for (const key of [undefined, guestKey]) {
    world.upstream.answers({ body: chatAnswer('none') })
    const { status } = await mallory.calls(
      chat,
      { model: 'open', messages, data_sources: salaries },
      key ? { key } : {},
    )
    expect([status, world.upstream.last().json]).toMatchObject([200, { data_sources: salaries }])
  }
  const refused = await mallory.calls(chat, { model: 'az', messages, data_sources: salaries }, { key: guestKey })
  expect(refused.status).toBe(400)
})

it('is not confused with tools, arguments and texts of the caller', async () => {
  world.upstream.answers({ body: chatAnswer('fine') })
  const parameters = { type: 'object', properties: { file_id: { type: 'string' }, data_sources: { type: 'array' } } }
  const tools = [{ type: 'function', function: { name: 'retrieval', parameters } }]
  const talk = [{ role: 'user', content: 'gs://bucket/object and "file_id": 1' }]
  expect((await mallory.calls(chat, { model: 'o', messages: talk, tools, connectors: [] })).status).toBe(200)
  world.upstream.answers({ body: geminiAnswer({ texts: ['fine'] }) })
  const call = { functionCall: { name: 'open', args: { fileUri: 'gs://bucket/object', retrieval: {} } } }
  const contents = [
    { role: 'user', parts: [{ text: 'hi' }] },
    { role: 'model', parts: [call] },
  ]
  expect((await mallory.calls(generate('gemini-v'), { contents, cachedContent: null })).status).toBe(200)
  world.upstream.answers({ body: messageAnswer({ texts: ['fine'] }) })
  const written = { type: 'code_execution_output', file_id: 'file_1' }
  const ran = {
    type: 'code_execution_tool_result',
    tool_use_id: 't',
    content: { type: 'code_execution_result', content: [written] },
  }
  const use = { type: 'tool_use', id: 'u', name: 'open', input: { url: 'http://10.0.0.5/', file_id: '1' } }
  const said = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: [ran, use] },
  ]
  expect((await mallory.calls('/v1/messages', { model: 'a', max_tokens: 9, messages: said })).status).toBe(200)
})

it('a picture in bare base64 is passed on, however short', async () => {
  const png = Buffer.from(`89504e470d0a1a0a0000000d49484452${'00'.repeat(40)}`, 'hex').toString('base64')
  for (const url of [png, 'A'.repeat(4097)]) {
    const body = { model: 'x', messages: withPart({ type: 'image_url', image_url: { url } }) }
    expect((await mallory.calls(chat, body)).status).toBe(200)
  }
})

it.each([
  'http://169.254.169.254/latest/meta-data',
  'http://10.0.0.5/a.png',
  'http://127.0.0.1:6411/api/status',
  'http://localhost/a.png',
  'http://[::ffff:10.0.0.5]/a.png',
  'http://0x7f.1/a.png',
  'file:///etc/passwd',
  '/etc/passwd',
  `${'/'.repeat(64)}etc/passwd`,
  `${'proc/self/cwd/'.repeat(9)}etc/passwd`,
  '//127.0.0.1/x',
  'http://[::1%25lo]:6411/x',
  'http://example.com\\@127.0.0.1:6411/x',
  'http://127.0.0.1:99999999/x',
  'http://127.0.0.1%00.example.com/',
  'http://127.0.0.1|x/',
  'http://user@example.com/',
  'gs://acme-hr/badge.png',
])('a file at %s is not passed on to a vendor, which may be a server in the operator’s network', async (url) => {
  const image = { type: 'image_url', image_url: { url } }
  for (const model of ['o', 'x', 'g', 'raw'])
    expect(await mallory.calls(chat, { model, messages: withPart(image) })).toMatchObject({ status: 400 })
  for (const part of [
    { type: 'image_url', Image_URL: { url } },
    { type: 'image_url', image_url: { URL: url } },
  ])
    expect(await mallory.calls(chat, { model: 'x', messages: withPart(part) })).toMatchObject({ status: 400 })
  expect(await mallory.calls(chat, { model: 'x', messages: [{ role: 'user', Content: [image] }] })).toMatchObject({
    status: 400,
  })
  const source = { type: 'image', source: { type: 'url', url } }
  const inResult = { type: 'tool_result', tool_use_id: 't', content: [source] }
  const inDocument = { type: 'document', source: { type: 'content', content: [source] } }
  for (const part of [source, inResult, inDocument])
    expect((await mallory.calls('/v1/messages', { model: 'a', max_tokens: 9, messages: withPart(part) })).status).toBe(
      400,
    )
  const servers = { model: 'a', max_tokens: 9, messages, mcp_servers: [{ type: 'url', name: 's', url }] }
  expect((await mallory.calls('/v1/messages', servers)).status).toBe(400)
  const tools = [{ type: 'mcp', server_label: 's', server_url: url }]
  expect((await mallory.calls('/v1/responses', { model: 'o', input: 'hi', tools })).status).toBe(400)
  const input = withPart({ type: 'input_image', image_url: url })
  expect((await mallory.calls('/v1/responses', { model: 'o', input })).status).toBe(400)
  expect((await mallory.calls(generate('gemini-v'), withFile(url))).status).toBe(400)
  const document = { type: 'document_url', document_url: url }
  expect((await mallory.calls(chat, { model: 'x', messages: withPart(document) })).status).toBe(400)
  expect((await mallory.calls('/v1/embeddings', { model: 'x', input: [{ image: url }] })).status).toBe(400)
  expect(world.upstream.requests).toHaveLength(0)
})

it.each(['http://169.254.169.254/latest/meta-data', ' HTTP://10.0.0.5/a.pdf', 'file:///etc/passwd'])(
  'neither are files in members that usually have their bytes: %s',
  async (address) => {
    const file = { type: 'file', file: { filename: 'a.pdf', file_data: address } }
    for (const model of ['o', 'x', 'raw'])
      expect((await mallory.calls(chat, { model, messages: withPart(file) })).status).toBe(400)
    const input = withPart({ type: 'input_file', filename: 'a.pdf', file_data: address })
    expect((await mallory.calls('/v1/responses', { model: 'o', input })).status).toBe(400)
    const unknown = { type: 'scan', scan: { from: [address] } }
    expect((await mallory.calls(chat, { model: 'raw', messages: withPart(unknown) })).status).toBe(400)
    expect(world.upstream.requests).toHaveLength(0)
  },
)

it('addresses in texts are passed on', async () => {
  world.upstream.answers({ body: chatAnswer('no') })
  const asked = [
    { role: 'system', content: 'http://10.0.0.5/ is the wiki' },
    { role: 'user', content: [{ type: 'text', text: 'http://10.0.0.5/ is down' }] },
  ]
  const tools = [
    { type: 'function', function: { name: 'look', description: 'http://10.0.0.5/ serves it', parameters: {} } },
  ]
  expect((await mallory.calls(chat, { model: 'o', messages: asked, tools, stop: ['http://10.0.0.5/'] })).status).toBe(
    200,
  )
})

it('files at public addresses are passed on', async () => {
  world.upstream.answers({ body: chatAnswer('a cat') })
  const image = { type: 'image_url', image_url: { url: 'https://example.com:9000/cat.png' } }
  expect((await mallory.calls(chat, { model: 'o', messages: withPart(image) })).status).toBe(200)
  expect(world.upstream.last().text).toContain('https://example.com:9000/cat.png')
})

it.each([
  ['coze-bot', 'user_id'],
  ['dify-app', 'user'],
])('%s, which may remember its users, gets no user that two accounts share', async (model, member) => {
  world.upstream.answers(() => ({ status: 400, body: { error: { message: 'not now' } } }))
  const alice = await world.user({ quota: 1_000_000 })
  const users: string[] = []
  for (const person of [alice, mallory])
    for (const user of [undefined, 'alice', `switchyard-${alice.id}`, `-${alice.id}`]) {
      await person.calls(chat, { model, messages, user })
      users.push(world.upstream.last().json[member])
    }
  expect(new Set(users).size).toBe(users.length)
  expect(users.slice(0, 4).every((user) => user.startsWith(`switchyard-${alice.id}`))).toBe(true)
})
