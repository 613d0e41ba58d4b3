import OpenAI from 'openai'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Recorded, Script } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'

const MODEL = 'gpt-4o'
const response = (id: string, more: object = {}) => ({
  id,
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: MODEL,
  output: [
    {
      id: `msg_of_${id}`,
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
    },
  ],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  ...more,
})

let world: World
let alice: Person
let client: OpenAI
let channels: number[]
let count = 0

/** A vendor with a Responses API whose responses have unique ids. */
const vendor = ({ method, json }: Recorded): Script => {
  count += 1
  const answer = response(`resp_${count}`)
  if (method !== 'POST' || json?.stream !== true) return { body: answer }
  return {
    events: [
      { type: 'response.created', sequence_number: 0, response: { ...answer, status: 'in_progress', output: [] } },
      { type: 'response.completed', sequence_number: 1, response: answer },
    ],
  }
}

beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { [MODEL]: 1 }, RetryTimes: 0 } })
  const setting = '{"allow_account_data":true}'
  channels = [await world.channel({ key: 'first-key', setting }), await world.channel({ key: 'other-key', setting })]
  alice = await world.user({ quota: 10_000_000 })
  client = await clientOf(alice)
})
beforeEach(() => {
  world.upstream.reset()
  world.upstream.answers(vendor)
})

const clientOf = async (person: Person) =>
  new OpenAI({ apiKey: `sk-${await person.key()}`, baseURL: `${world.url}/v1`, maxRetries: 0 })
const create = (more: object = {}) => client.responses.create({ model: MODEL, input: 'Hi', ...more, stream: false })
/** The key in the last upstream request, which identifies the channel. */
const keyUsed = () => world.upstream.last().headers.authorization
const setStatus = (id: number | undefined, status: number) => world.admin.put('/api/channel', { id, status })
const channelWith = (key: string | undefined) => channels[key === 'Bearer first-key' ? 0 : 1]

describe('a response stored by its vendor', () => {
  it('is remembered with the first hundred of its items, and with no id of more than 256 characters', async () => {
    const items = Array.from({ length: 3000 }, (_, at) => ({ id: `item_${at}`, type: 'message', content: [] }))
    const long = { id: 'l'.repeat(257), type: 'message', content: [] }
    world.upstream.reset()
    world.upstream.answers({ body: response('resp_of_many', { output: [long, ...items] }) })
    await create()
    const { db } = world.gateway.inner
    const rows = () => db.selectFrom('stored_responses').select('id').where('id', '!=', '').execute()
    await expect.poll(async () => (await rows()).some(({ id }) => id === 'item_98')).toBe(true)
    const ids = (await rows()).map(({ id }) => id)
    expect(ids.filter((id) => id.startsWith('item_'))).toHaveLength(99)
    expect(ids).toContain('resp_of_many')
    expect(ids.filter((id) => id.length > 256)).toEqual([])
  })

  it('is continued on its channel, and nowhere else', async () => {
    for (let turn = 0; turn < 8; turn += 1) {
      const { id } = await create()
      const key = keyUsed()
      for (const stream of [false, true]) {
        const body = { model: MODEL, input: 'On', previous_response_id: id }
        const answer = await alice.calls('/v1/responses', { ...body, stream })
        expect([answer.status, keyUsed()]).toEqual([200, key])
        expect(world.upstream.last().json).toEqual({ ...body, stream })
      }
    }
  })

  it('has items that can be used only on its channel', async () => {
    for (let turn = 0; turn < 8; turn += 1) {
      const stream = turn % 2 === 1
      const first = await alice.calls('/v1/responses', { model: MODEL, input: 'Hi', stream })
      const key = keyUsed()
      const { output } = stream ? first.events.at(-1).response : first.json
      const input = [
        { role: 'user', content: 'Hi' },
        { type: 'item_reference', id: output[0].id },
      ]
      await alice.calls('/v1/responses', { model: MODEL, input })
      expect([keyUsed(), world.upstream.last().json.input]).toEqual([key, input])
    }
  })

  it('cannot be retrieved before its stream has ended, nor after its caller has left the stream', async () => {
    world.upstream.reset()
    const created = { type: 'response.created', response: response('resp_cut', { status: 'in_progress', output: [] }) }
    world.upstream.answers({ events: [created], hang: true }, vendor)
    const stream = await client.responses.create({ model: MODEL, input: 'Hi', stream: true })
    const cut = world.upstream.last()
    const missing = { status: 404, code: 'response_not_found' }
    for await (const _ of stream) {
      await expect(client.responses.retrieve('resp_cut')).rejects.toMatchObject(missing)
      break
    }
    expect(await cut.aborted).toBe(true)
    await expect(client.responses.retrieve('resp_cut')).rejects.toMatchObject(missing)
    expect(world.upstream.last()).toBe(cut)
  })

  it('is retrieved, read, cancelled and deleted there, with the caller’s parameters', async () => {
    const { id } = await create()
    const key = keyUsed()
    const asked = async (work: Promise<unknown>) => {
      await work
      const { method, path } = world.upstream.last()
      return [method, path, keyUsed()]
    }
    const { responses } = client
    const include = ['reasoning.encrypted_content' as const]
    expect(await asked(responses.retrieve(id, { include }))).toEqual([
      'GET',
      `/v1/responses/${id}?include%5B%5D=reasoning.encrypted_content`,
      key,
    ])
    expect(await asked(responses.inputItems.list(id, { limit: 5 }))).toEqual([
      'GET',
      `/v1/responses/${id}/input_items?limit=5`,
      key,
    ])
    expect(await asked(responses.cancel(id))).toEqual(['POST', `/v1/responses/${id}/cancel`, key])
    world.upstream.answers({
      status: 500,
      body: { error: { message: `${key?.slice('Bearer '.length)} is tired`, type: 'server_error' } },
    })
    await expect(responses.delete(id)).rejects.toMatchObject({ status: 500 })
    await expect(responses.delete(id)).rejects.not.toMatchObject({ message: expect.stringContaining('-key') })
    world.upstream.answers(vendor)
    expect(await asked(responses.delete(id))).toEqual(['DELETE', `/v1/responses/${id}`, key])
    await expect(responses.retrieve(id)).rejects.toBeInstanceOf(OpenAI.NotFoundError)
  })

  it('is out of reach while its channel is', async () => {
    const { id } = await create()
    const home = channelWith(keyUsed())
    await setStatus(home, 2)
    const before = world.upstream.requests.length
    await expect(create({ previous_response_id: id })).rejects.toMatchObject({
      status: 400,
      code: 'previous_response_not_found',
    })
    await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 400 })
    expect(world.upstream.requests).toHaveLength(before)
    await setStatus(home, 1)
    expect((await create({ previous_response_id: id })).status).toBe('completed')
  })

  it('is not available to other accounts', async () => {
    const { id } = await create()
    const bob = await clientOf(await world.user({ quota: 1_000_000 }))
    await expect(bob.responses.retrieve(id)).rejects.toBeInstanceOf(OpenAI.NotFoundError)
    const on = bob.responses.create({ model: MODEL, input: 'x', previous_response_id: id })
    await expect(on).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found' })
  })

  it('is not remembered where the vendor was requested not to store it', async () => {
    const { id } = await create({ store: false })
    await expect(client.responses.retrieve(id)).rejects.toBeInstanceOf(OpenAI.NotFoundError)
  })

  it.each([{ conversation: 'conv_1' }, { prompt: { id: 'pmpt_1' } }, { background: false }])(
    '%o goes to its vendor untouched',
    async (more) => {
      await create(more)
      expect(world.upstream.last().json).toEqual({ model: MODEL, input: 'Hi', ...more, stream: false })
    },
  )
})

describe('an answer in the background', () => {
  it.each([true, 'true', 'on', 1])('is refused, since it could not be charged: %j', async (background) => {
    await expect(create({ background })).rejects.toMatchObject({
      status: 400,
      code: 'invalid_responses_request',
      param: 'background',
    })
    expect(world.upstream.requests).toHaveLength(0)
  })
})

describe('a conversation that moves between vendors', () => {
  it('takes its messages along, but not the parts that only the first vendor can read', async () => {
    await world.option('ModelRatio', { [MODEL]: 1, moving: 1 })
    const here = await world.channel({ type: 14, models: 'moving' })
    world.upstream.reset()
    world.upstream.answers({
      body: {
        id: 'msg_x',
        type: 'message',
        role: 'assistant',
        model: 'moving',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'sealed' },
          { type: 'text', text: 'Hello' },
        ],
        stop_reason: 'end_turn',
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    })
    const ask = (more: object) => client.responses.create({ model: 'moving', input: 'Hi', ...more, stream: false })
    const first = await ask({})
    expect(first.output.map(({ type }) => type)).toEqual(['reasoning', 'message'])
    await ask({ input: 'Back?', previous_response_id: first.id })
    expect(world.upstream.last().json.messages[1].content[0]).toMatchObject({ type: 'thinking', signature: 'sealed' })

    await setStatus(here, 2)
    await world.channel({ models: 'moving' })
    world.upstream.answers(vendor)
    await ask({ input: 'On?', previous_response_id: first.id })
    const { json } = world.upstream.last()
    expect(json).not.toHaveProperty('previous_response_id')
    expect(
      json.input.map(({ role, content }: { role: string; content: { text: string }[] }) => [role, content[0]?.text]),
    ).toEqual([
      ['user', 'Hi'],
      ['assistant', 'Hello'],
      ['user', 'On?'],
    ])
    expect(json.input[1]).not.toHaveProperty('id')
    await ask({ input: [...first.output, { role: 'user', content: 'By hand' }] as OpenAI.Responses.ResponseInput })
    expect(JSON.stringify(world.upstream.last().json.input)).not.toMatch(/switchyard:|reasoning/)
  })
})
