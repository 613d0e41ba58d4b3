import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aClock } from '../../../support/clock.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt } from '../metering/receipts.ts'
import { aCaller, refused } from './caller.ts'
import { aSocketVendor, type SocketVendor, say } from './socket-vendor.ts'

let world: World
let vendor: SocketVendor
let alice: Person
let client: OpenAI

beforeAll(async () => {
  vendor = await aSocketVendor()
  world = await aWorld({
    clock: aClock(1_800_000_000_000),
    options: { ModelRatio: { 'gpt-realtime': 1, 'gpt-realtime-mini': 1, 'gpt-4o-transcribe': 1 } },
  })
  await world.channel({ base_url: vendor.url, models: 'gpt-realtime,gpt-realtime-mini,gpt-4o-transcribe' })
})
afterAll(() => vendor.stop())
beforeEach(async () => {
  world.clock.advanceSeconds(1)
  vendor.reset()
  vendor.behaves((session, frame) => {
    if (frame === undefined) say(session, { type: 'session.created', session: {} })
    else if (isSetUp(frame)) say(session, { type: 'session.updated', session: frame.session })
    else
      say(session, {
        type: 'response.done',
        response: { id: 'resp_1', usage: { total_tokens: 30, input_tokens: 20, output_tokens: 10 } },
      })
  })
  alice = await world.user({ quota: 1_000_000_000 })
  client = new OpenAI({ apiKey: `sk-${await alice.key()}`, baseURL: `${world.url}/v1`, maxRetries: 0, logLevel: 'off' })
})

const isSetUp = (frame: unknown): frame is Readonly<{ session: object }> =>
  (frame as Readonly<{ type?: string }>).type === 'session.update'
/** Connects without the browsers' sub-protocol, with which refusals would be sent over a socket. */
const refusal = (secret: string, query = '') => refused(aCaller(world, `/v1/realtime${query}`, alice, { key: secret }))
const connect = (secret: string, query = '') =>
  aCaller(world, `/v1/realtime${query}`, alice, { protocols: ['realtime', `openai-insecure-api-key.${secret}`] })

describe('a client secret (docs/reference/streams.md#client-secrets)', () => {
  it('opens sessions of the key it was made with, with its server’s settings, which that key pays for', async () => {
    const session = { type: 'realtime', model: 'gpt-realtime', instructions: 'Be brief.' } as const
    const made = await client.realtime.clientSecrets.create({ session })
    expect(made).toEqual({
      value: expect.stringMatching(/^ek_/),
      expires_at: world.clock.now() / 1000 + 600,
      session: { ...session, object: 'realtime.session', id: expect.stringMatching(/^sess_/) },
    })
    const caller = await connect(made.value)
    const updated = await caller.gets('session.updated')
    expect(updated.session).toEqual({ type: 'realtime', instructions: 'Be brief.' })
    caller.send({ type: 'response.create' })
    await caller.gets('response.done')
    caller.socket.close()
    await caller.closed
    expect(await lastReceipt(world, alice.id)).toMatchObject({ model_name: 'gpt-realtime' })
  })

  it('opens several, and a running one continues after the secret has expired', async () => {
    const { value } = await client.realtime.clientSecrets.create({
      expires_after: { anchor: 'created_at', seconds: 10 },
    })
    const first = await connect(value, '?model=gpt-realtime')
    await first.gets('session.created')
    world.clock.advanceSeconds(9)
    const second = await connect(value, '?model=gpt-realtime-mini')
    world.clock.advanceSeconds(1)
    expect(await refusal(value, '?model=gpt-realtime')).toMatchObject({
      status: 401,
      error: { code: 'invalid_api_key' },
    })
    first.send({ type: 'response.create' })
    await first.gets('response.done')
    for (const { socket } of [first, second]) socket.close()
  })

  it('is only valid for its server’s settings', async () => {
    const { value } = await client.realtime.clientSecrets.create({
      session: { type: 'realtime', model: 'gpt-realtime-mini' },
    })
    for (const query of ['?model=gpt-realtime', '?intent=transcription'])
      expect(await refusal(value, query)).toMatchObject({ status: 400, error: { code: 'invalid_request' } })
    const caller = await connect(value, '?model=gpt-realtime-mini')
    caller.socket.close()
    const hearing = await client.realtime.clientSecrets.create({
      session: { type: 'transcription', audio: { input: { transcription: { model: 'gpt-4o-transcribe' } } } },
    })
    expect(hearing.session).toMatchObject({ object: 'realtime.transcription_session' })
    const writer = await connect(hearing.value)
    await writer.gets('session.updated')
    writer.socket.close()
  })

  it('is worth nothing elsewhere, nor once its key is gone', async () => {
    const { value } = await client.realtime.clientSecrets.create({
      session: { type: 'realtime', model: 'gpt-realtime' },
    })
    for (const path of ['/v1/models', '/v1/conversations/conv_x'])
      expect((await fetch(world.url + path, { headers: { authorization: `Bearer ${value}` } })).status).toBe(401)
    const { id } = await world.gateway.inner.db
      .selectFrom('tokens')
      .select('id')
      .where('user_id', '=', alice.id)
      .executeTakeFirstOrThrow()
    // A new key for the token invalidates secrets made with the old one, and so does the token's deletion.
    expect(await alice.post(`/api/token/${id}/key`)).toMatchObject({ success: true })
    expect((await refusal(value)).status).toBe(401)
    await alice.delete(`/api/token/${id}`)
    expect((await refusal(value)).status).toBe(401)
    const browser = await connect(value)
    expect(await browser.closed).toMatchObject({ code: 1008 })
  })

  it.each([
    { session: 'x' },
    { session: { type: 'other' } },
    { session: { model: 1 } },
    { expires_after: { seconds: 9 } },
    { expires_after: { seconds: 7201 } },
    { expires_after: { seconds: 10.5 } },
    { expires_after: { anchor: 'now' } },
  ])('is refused for an invalid one: %o', async (body) => {
    await expect(client.realtime.clientSecrets.create(body as never)).rejects.toMatchObject({
      status: 400,
      code: 'invalid_request',
    })
  })

  it('is refused for settings longer than 64 KiB, or beyond about a thousand of an account, which does not affect others', async () => {
    const long = { session: { type: 'realtime', instructions: 'x'.repeat(65_536) } } as const
    await expect(client.realtime.clientSecrets.create(long)).rejects.toMatchObject({ status: 413 })
    const create = () => client.realtime.clientSecrets.create({ expires_after: { seconds: 10 } })
    const bob = await world.user({ quota: 1_000_000_000 })
    const others = new OpenAI({ apiKey: `sk-${await bob.key()}`, baseURL: `${world.url}/v1`, maxRetries: 0 })
    const good = await others.realtime.clientSecrets.create({ session: { type: 'realtime', model: 'gpt-realtime' } })
    const large = { session: { type: 'realtime', numbers: '1e20 '.repeat(12_000) } } as object
    for (let made = 0; made < 17; made += 1) await client.realtime.clientSecrets.create(large)
    await expect(client.realtime.clientSecrets.create(large)).rejects.toMatchObject({ status: 429 })
    ;(await connect(good.value)).socket.close()
    for (let made = 0; made < 50; made += 1) await create().catch(() => {})
    await expect(create()).rejects.toMatchObject({ status: 429, code: 'rate_limit_exceeded' })
    world.clock.advanceSeconds(10)
    await create()
  })
})
