import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signedUrl } from '../../../../gateway/relay/providers/xunfei/request.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt, recomputed } from '../metering/receipts.ts'
import { aSparkVendor, failure, frame } from './spark-vendor.ts'

const used = { question_tokens: 4, prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 }
const hello = [frame(0, 'Hel'), frame(1, 'lo'), frame(2, ' there', used)]
const key = 'the-app|the-secret|the-key'

let world: World
let alice: Person
let channel: number
let spark: Awaited<ReturnType<typeof aSparkVendor>>

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  spark = await aSparkVendor()
  const models = 'SparkDesk,SparkDesk-v3.5,SparkDesk-v9.9'
  channel = await world.channel({ type: 18, key, models, base_url: spark.url, other: 'v3.1' })
})
beforeEach(async () => {
  spark.visits.length = 0
  spark.tells({ frames: hello })
  alice = await world.user({ quota: 100_000_000 })
})

afterAll(() => spark.stop())

describe('the signed address (iFlytek Open Platform, "General URL authentication", its worked example)', () => {
  it('proves the call in its query', () => {
    const address = new URL('wss://spark-api.xf-yun.com/v1.1/chat')
    const signing = { apiKey: 'addd2272b6d8b7c8abdd79531420ca3b', apiSecret: 'MjlmNzkzNmZkMDQ2OTc0ZDdmNGE2ZTZi' }
    const url = signedUrl(address, signing, Date.UTC(2023, 4, 5, 10, 43, 39))
    expect(url.searchParams.get('date')).toBe('Fri, 05 May 2023 10:43:39 GMT')
    expect(url.searchParams.get('host')).toBe('spark-api.xf-yun.com')
    expect(Buffer.from(url.searchParams.get('authorization') ?? '', 'base64').toString()).toBe(
      'api_key="addd2272b6d8b7c8abdd79531420ca3b", algorithm="hmac-sha256", headers="host date request-line", ' +
        'signature="z5gHdu3pxVV4ADMyk467wOWDQ9q6BQzR3nfMTjc/DaQ="',
    )
  })
})

describe('iFlytek Spark (docs/reference/channel-types.md#iflytek-spark)', () => {
  it('is called over a separate socket, signed, and charged by its own usage', async () => {
    const { json, headers } = await alice.calls('/v1/chat/completions', {
      model: 'SparkDesk',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello?' },
      ],
      temperature: 0.4,
      max_tokens: 50,
      top_p: 0.5,
      user: 'u1',
    })
    const [visit] = spark.visits
    expect(visit?.json).toEqual({
      header: { app_id: 'the-app', uid: 'u1' },
      parameter: { chat: { domain: 'generalv3', temperature: 0.4, max_tokens: 50 } },
      payload: {
        message: {
          text: [
            { role: 'user', content: 'Be brief.' },
            { role: 'assistant', content: 'Okay' },
            { role: 'user', content: 'Hello?' },
          ],
        },
      },
    })
    expect(visit?.path).toBe('/v3.1/chat')
    const address = new URL(`http://${visit?.host}/v3.1/chat`)
    const at = Date.parse(visit?.query.get('date') ?? '')
    expect(signedUrl(address, { apiKey: 'the-key', apiSecret: 'the-secret' }, at).searchParams).toEqual(visit?.query)
    await visit?.closed
    expect(headers.get('x-switchyard-dropped')).toBe('top_p')
    expect(json).toMatchObject({
      choices: [{ message: { content: 'Hello there' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 },
    })
    const receipt = await lastReceipt(world, alice.id)
    expect(receipt).toMatchObject({ prompt_tokens: 5, completion_tokens: 6, quota: recomputed(receipt) })
    expect(receipt.other.usage_source).toBe('upstream')
  })

  it.each([
    ['SparkDesk-v3.5', '', 'v3.5', 'generalv3.5'],
    ['SparkDesk-v9.9', '', 'v9.9', 'generalv9.9'],
    // The version decides the price, so a query does not.
    ['SparkDesk-v3.5', '?api-version=v4.0', 'v3.5', 'generalv3.5'],
  ])('speaks to %s%s in version %s, domain %s', async (model, query, version, domain) => {
    const messages = [{ role: 'user', content: 'hi' }]
    await alice.calls(`/v1/chat/completions${query}`, { model, messages })
    expect(spark.visits[0]).toMatchObject({ path: `/${version}/chat`, json: { parameter: { chat: { domain } } } })
  })

  it('sends system messages as such to models that support them', async () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello?' },
    ]
    await alice.calls('/v1/chat/completions', { model: 'SparkDesk-v3.5', messages })
    expect(spark.visits[0]?.json.payload.message.text).toEqual(messages)
  })

  it('streams', async () => {
    const body = { stream_options: { include_usage: true } }
    const { content, events } = await alice.asks('SparkDesk', 'hi', { stream: true, body })
    expect(content).toBe('Hello there')
    expect(events.flatMap((event) => event.choices?.[0]?.finish_reason ?? [])).toEqual(['stop'])
    expect(events.find((event) => event.usage)?.usage).toMatchObject({ prompt_tokens: 5, completion_tokens: 6 })
    expect(events.at(-1)).toBe('[DONE]')
  })

  it.each([
    [10013, 400],
    [10313, 401],
    [11202, 429],
    [10110, 503],
  ])('reports its error %i as %i, complete or streamed, and charges nothing', async (code, told) => {
    spark.tells({ frames: [failure(code)] })
    for (const stream of [false, true]) {
      const { status, json } = await alice.asks('SparkDesk', 'hi', { stream })
      expect([status, json.error.code]).toEqual([told, String(code)])
    }
    expect(await alice.quota()).toBe(100_000_000)
  })

  it('reports a refused handshake', async () => {
    spark.tells({ refusal: { status: 401, body: { message: 'HMAC signature cannot be verified' } } })
    const { status } = await alice.asks('SparkDesk', 'hi')
    expect(status).toBe(401)
  })

  it('reports an error in the middle of a stream, and a socket that breaks', async () => {
    spark.tells({ frames: [frame(0, 'Hel'), failure(10012)] })
    const failed = await alice.asks('SparkDesk', 'hi', { stream: true })
    expect(failed.events.at(-1)?.error?.message).toContain('no such luck')
    spark.tells({ frames: [frame(0, 'Hel')], cut: true })
    const broken = await alice.asks('SparkDesk', 'hi', { stream: true })
    expect(broken.events.at(-1)?.error?.code).toBe('stream_response_error')
    const whole = await alice.asks('SparkDesk', 'hi')
    expect(whole.status).toBe(502)
  })

  it('is left when its caller leaves', async () => {
    spark.tells({ frames: [frame(0, 'Hel')] })
    const gone = new AbortController()
    const asked = alice.asks('SparkDesk', 'hi', { stream: true, signal: gone.signal }).catch(() => 'gone')
    while (spark.visits.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    gone.abort()
    expect(await asked).toBe('gone')
    await spark.visits[0]?.closed
  })

  it('is tested over a socket too', async () => {
    const good = await world.admin.get(`/api/channel/test/${channel}?model=SparkDesk`)
    expect(good.success).toBe(true)
    spark.tells({ frames: [failure(10313)] })
    const bad = await world.admin.get(`/api/channel/test/${channel}?model=SparkDesk`)
    expect([bad.success, bad.message]).toEqual([false, 'status code 401: no such luck'])
  })

  it('refuses tools of versions that do not support them', async () => {
    const tools = [{ type: 'function', function: { name: 'clock' } }]
    const { status, json } = await alice.asks('SparkDesk', 'hi', { body: { tools } })
    expect([status, json.error.code]).toEqual([400, 'convert_request_failed'])
    expect(spark.visits).toHaveLength(0)
  })
})

describe('functions of Spark Max and 4.0 Ultra (docs/reference/channel-types.md#iflytek-spark)', () => {
  const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  const weather = { name: 'weather', description: 'Tells the weather.', parameters }
  const tools = [{ type: 'function', function: weather }]
  const called = (name: string, given: object) => [
    {
      header: { code: 0, message: 'Success', sid: 'cht1@dx2', status: 2 },
      payload: {
        choices: {
          status: 2,
          seq: 0,
          text: [
            {
              content: '',
              role: 'assistant',
              content_type: 'text',
              function_call: { arguments: JSON.stringify(given), name },
              index: 0,
            },
          ],
        },
        usage: { text: used },
      },
    },
  ]

  it('are offered and called, whole and streamed', async () => {
    spark.tells({ frames: called('weather', { city: 'Paris' }) })
    const call = { id: 'call_cht1dx2', type: 'function', function: { name: 'weather', arguments: '{"city":"Paris"}' } }
    const whole = await alice.asks('SparkDesk-v3.5', 'Weather?', { body: { tools } })
    expect(whole.json.choices[0]).toMatchObject({ message: { tool_calls: [call] }, finish_reason: 'tool_calls' })
    expect(spark.visits[0]?.json.payload.functions).toEqual({ text: [weather] })
    const { events } = await alice.asks('SparkDesk-v3.5', 'Weather?', { stream: true, body: { tools } })
    const choices = events.flatMap((event) => event.choices ?? [])
    expect(choices.flatMap(({ delta }) => delta?.tool_calls ?? [])[0]).toMatchObject(call)
    expect(choices.flatMap(({ finish_reason }) => finish_reason ?? [])).toEqual(['tool_calls'])
    const receipt = await lastReceipt(world, alice.id, 2)
    expect(receipt).toMatchObject({ prompt_tokens: 5, completion_tokens: 6 })
  })

  it('and their results are sent as text, since its messages have no field for them', async () => {
    const messages = [
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Paris"}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
    ]
    const model = 'SparkDesk-v3.5'
    const { headers } = await alice.calls('/v1/chat/completions', { model, messages, tools, tool_choice: 'required' })
    expect(headers.get('x-switchyard-dropped')).toBe('tool_choice')
    expect(spark.visits[0]?.json.payload.message.text).toEqual([
      { role: 'user', content: 'Weather?\nThe tool weather was called with {"city":"Paris"} and answered:\nrain' },
    ])
  })

  it('return JSON of a schema, which other versions are instructed to write', async () => {
    const body = { response_format: { type: 'json_schema', json_schema: { name: 'city', schema: parameters } } }
    spark.tells({ frames: called('structured_answer', { city: 'Paris' }) })
    const max = await alice.asks('SparkDesk-v3.5', 'Where?', { body })
    expect(max.json.choices[0]).toMatchObject({ message: { content: '{"city":"Paris"}' }, finish_reason: 'stop' })
    spark.tells({ frames: [frame(0, '```json\n{"city":'), frame(2, '"Paris"}\n```', used)] })
    const lite = await alice.asks('SparkDesk', 'Where?', { body })
    expect(lite.json.choices[0]).toMatchObject({ message: { content: '{"city":"Paris"}' }, finish_reason: 'stop' })
    expect(lite.headers.get('x-switchyard-dropped')).toBe('response_format')
    expect(spark.visits.at(-1)?.json.payload.functions).toBeUndefined()
  })
})
