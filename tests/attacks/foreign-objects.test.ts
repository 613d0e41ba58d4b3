import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { channelTypes } from '../../shared/channel-types.ts'
import { channelStatus } from '../../shared/enums.ts'
import { chatAnswer } from '../support/chat.ts'
import { geminiAnswer } from '../support/gemini.ts'
import type { Recorded, Script } from '../support/upstream.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

let world: World
let mallory: Person
beforeAll(async () => {
  world = await aWorld({
    options: { AutomaticDisableChannelEnabled: true, SelfUseModeEnabled: true, RetryTimes: 2 },
  })
  mallory = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => world.upstream.reset())

const { anthropic, gemini, openai, vertex } = channelTypes

/** Creates two channels for one new model; returns functions that read their states. */
let models = 0
async function twoChannels(type: number, fields: object = {}) {
  models += 1
  const model = `gemini-2.5-flash-${models}`
  const ids: number[] = []
  for (const key of ['one', 'two'])
    ids.push(await world.channel({ type, models: model, key, setting: '{"allow_account_data":true}', ...fields }))
  const { db } = world.gateway.inner
  const statuses = async () =>
    (await db.selectFrom('channels').select('status').where('id', 'in', ids).execute()).map(({ status }) => status)
  const cooling = async () => {
    const { data } = await world.admin.get('/api/channel/cooldowns')
    return data.filter(({ channel_id }: { channel_id: number }) => ids.includes(channel_id)).length
  }
  return { model, statuses, cooling }
}
const enabled = [channelStatus.enabled, channelStatus.enabled]

const refusing =
  (status: number, error: object): ((request: Recorded) => Script) =>
  () => ({ status, body: { error } })
const DENIED = 'Permission denied while accessing the file, or it may not exist.'
const denied = refusing(403, { code: 403, message: DENIED, status: 'PERMISSION_DENIED' })

const turn = (...parts: object[]) => ({ contents: [{ role: 'user', parts: [{ text: 'hi' }, ...parts] }] })
const content = (...parts: object[]) => ({
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }, ...parts] }],
})
const fileAt = (fileUri: string) => turn({ fileData: { mimeType: 'image/png', fileUri } })

/** A prompt of 100,000 tokens. */
const LONG = 'word '.repeat(100_000)

describe('a request that names what the channel’s account may not read', () => {
  it.each([
    ['a file of Gemini', gemini.id, fileAt('https://generativelanguage.googleapis.com/v1beta/files/nosuch')],
    ['a private video', gemini.id, fileAt('https://www.youtube.com/watch?v=private')],
    ['a cache', gemini.id, { ...turn(), cachedContent: 'cachedContents/nosuch' }],
    ['a cache in the other spelling', gemini.id, { ...turn(), cached_content: 'cachedContents/nosuch' }],
    ['a store', gemini.id, { ...turn(), tools: [{ fileSearch: { fileSearchStoreNames: ['fileSearchStores/x'] } }] }],
    ['a file of Google Cloud', vertex.id, fileAt('gs://nosuch/a.png')],
  ])('neither disables nor cools channels: %s', async (_, type, body) => {
    const isVertex = type === vertex.id
    const fields = isVertex
      ? { other: 'us-central1', setting: '{"vertex_key_type":"api_key","allow_account_data":true}' }
      : {}
    const { model, statuses, cooling } = await twoChannels(type, fields)
    const path = `/v1beta/models/${model}:generateContent`
    world.upstream.answers(denied)
    expect((await mallory.calls(path, body)).status).toBe(403)
    expect(await statuses()).toEqual(enabled)
    expect(await cooling()).toBe(0)
    world.upstream.answers({ body: geminiAnswer({ texts: ['hi'] }) })
    expect((await mallory.calls(path, turn())).status).toBe(200)
  })

  it('has the same effect in other dialects', async () => {
    const file = { type: 'file', file: { file_id: 'file-nosuch' } }
    const document = { type: 'document', source: { type: 'file', file_id: 'file_nosuch' } }
    const permission = refusing(403, { type: 'permission_error', message: 'not allowed to use this file' })
    for (const [type, path, part] of [
      [openai.id, '/v1/chat/completions', file],
      [anthropic.id, '/v1/messages', document],
    ] as const) {
      const { model, statuses, cooling } = await twoChannels(type)
      world.upstream.answers(permission)
      expect((await mallory.calls(path, { model, max_tokens: 10, ...content(part) })).status).toBe(403)
      expect([await statuses(), await cooling()]).toEqual([enabled, 0])
    }
  })

  it('is not confused with a refusal of the account', async () => {
    const { model, statuses } = await twoChannels(gemini.id)
    world.upstream.answers(denied)
    expect((await mallory.calls(`/v1beta/models/${model}:generateContent`, turn())).status).toBe(403)
    expect(await statuses()).toEqual([channelStatus.autoDisabled, channelStatus.autoDisabled])
  })
})

describe('a request that a vendor cannot pay for, although money is left', () => {
  const code = 'pre_consume_token_quota_failed'
  it.each([
    ['token remain quota: $0.100000, need quota: $0.160000', true],
    ['预扣费额度失败, 用户剩余额度: ＄12.5, 需要预扣费额度: ＄60', true],
    ['token remain quota: $0.000000, need quota: $0.160000', false],
    ['token remain quota: ¥-0.5, need quota: ¥0.16', false],
  ])('does not disable the channel: %s', async (message, isLeft) => {
    const { model, statuses } = await twoChannels(openai.id)
    world.upstream.answers(refusing(403, { message, type: 'new_api_error', code }))
    expect((await mallory.asks(model, 'hi', { body: { max_tokens: 100_000 } })).status).toBe(429)
    expect((await statuses()).every((status) => status === channelStatus.enabled)).toBe(isLeft)
    world.upstream.answers({ body: chatAnswer('hi') })
    expect((await mallory.asks(model, 'hi')).status).toBe(isLeft ? 200 : 503)
  })

  it.each([
    ['Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 45000.', 'hi', 0],
    ["This request would exceed your organization's rate limit of 30,000 input tokens per minute", LONG, 0],
    ["This request would exceed your organization's rate limit of 30,000 input tokens per minute", 'hi', 2],
  ])('cools no channel whose rate is smaller than the request: %s', async (message, text, expected) => {
    const { model, cooling } = await twoChannels(openai.id)
    world.upstream.answers({
      status: 429,
      headers: { 'retry-after': '60' },
      body: { error: { message, type: 'tokens' } },
    })
    expect((await mallory.asks(model, text)).status).toBe(429)
    expect(await cooling()).toBe(expected)
  })
})
