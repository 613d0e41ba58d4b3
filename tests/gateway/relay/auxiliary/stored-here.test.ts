import OpenAI from 'openai'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aClock } from '../../../support/clock.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { gathered } from './gathered.ts'

/** A channel type without a Responses API; the gateway stores its responses itself. */
const DEEPSEEK = 43
const MODEL = 'deepseek-chat'

let world: World
let alice: Person
let client: OpenAI

beforeAll(async () => {
  world = await aWorld({ clock: aClock(1_800_000_000_000), options: { ModelRatio: { [MODEL]: 1 } } })
  await world.channel({ type: DEEPSEEK, models: MODEL, setting: '{"allow_account_data":true}' })
  alice = await world.user({ quota: 10_000_000 })
  client = await clientOf(alice)
})
beforeEach(() => world.upstream.reset())

const clientOf = async (person: Person) =>
  new OpenAI({ apiKey: `sk-${await person.key()}`, baseURL: `${world.url}/v1`, maxRetries: 0 })
const create = (input: OpenAI.Responses.ResponseInput | string, more: object = {}) =>
  client.responses.create({ model: MODEL, input, ...more, stream: false })
const told = () => world.upstream.last().json.messages
const user = (content: string) => ({ role: 'user', content })

/** Whether a response's lifetime has been restarted now. */
async function prolonged(id: string): Promise<boolean> {
  const { db } = world.gateway.inner
  const row = await db.selectFrom('stored_responses').select('created_at').where('id', '=', id).executeTakeFirst()
  return row?.created_at === Math.floor(world.clock.now() / 1000)
}

describe('a response of a vendor without a Responses API is stored here', () => {
  it('complete: it can be retrieved, its input read, continued, cancelled without effect and deleted', async () => {
    const first = await create('My name is Ada.', { instructions: 'Be brief.' })
    expect(first).toMatchObject({ store: true })
    expect(await client.responses.retrieve(first.id)).toEqual(first)
    expect({ ...(await client.responses.cancel(first.id)), output_text: 'Hello there' }).toEqual(first)
    const items = await client.responses.inputItems.list(first.id)
    expect(items.data).toEqual([
      {
        id: expect.stringMatching(/^msg_/),
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: 'My name is Ada.' }],
      },
    ])

    const second = await create([{ role: 'user', content: 'And yours?' }], { previous_response_id: first.id })
    expect(second.previous_response_id).toBe(first.id)
    expect(told()).toEqual([user('My name is Ada.'), { role: 'assistant', content: 'Hello there' }, user('And yours?')])
    await create('Again!', { previous_response_id: second.id })
    expect(told()).toHaveLength(5)
    const all = await client.responses.inputItems.list(second.id, { order: 'asc', limit: 2 })
    expect(all.data.map((item) => 'role' in item && item.role)).toEqual(['user', 'assistant'])
    expect(await gathered(all)).toHaveLength(3)

    await client.responses.delete(first.id)
    await expect(client.responses.retrieve(first.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError)
    expect((await client.responses.retrieve(second.id)).id).toBe(second.id)
  })

  it('streamed: it can be continued as soon as the stream has ended', async () => {
    const stream = await client.responses.create({ model: MODEL, input: 'Hi', stream: true })
    const events = await gathered(stream)
    const end = events.at(-1)
    if (end?.type !== 'response.completed') throw new Error(`ended with ${end?.type}`)
    expect(end.response).toMatchObject({ store: true })
    await create('Go on', { previous_response_id: end.response.id })
    expect(told()).toEqual([user('Hi'), { role: 'assistant', content: 'Hello there' }, user('Go on')])
    expect(await client.responses.retrieve(end.response.id)).toMatchObject({
      ...end.response,
      output_text: 'Hello there',
    })
  })

  it('answered in one piece though a stream was requested, likewise', async () => {
    world.upstream.answers({
      body: { choices: [{ message: { role: 'assistant', content: 'All' }, finish_reason: 'stop' }] },
    })
    const stream = await client.responses.create({ model: MODEL, input: 'Hi', stream: true })
    const [begun] = await gathered(stream)
    if (begun?.type !== 'response.created') throw new Error(`began with ${begun?.type}`)
    expect(await client.responses.retrieve(begun.response.id)).toMatchObject({
      status: 'completed',
      output_text: 'All',
    })
  })

  it('calls of tools are continued only by their results, or by references', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }
    world.upstream.answers({
      body: {
        choices: [{ message: { role: 'assistant', content: null, tool_calls: [call] }, finish_reason: 'tool_calls' }],
      },
    })
    const first = await create('1 + 1?')
    const [item] = first.output
    const output = { type: 'function_call_output', call_id: 'call_1', output: '2' } as const
    await create([output], { previous_response_id: first.id })
    const expected = [
      user('1 + 1?'),
      expect.objectContaining({ role: 'assistant', tool_calls: [call] }),
      { role: 'tool', tool_call_id: 'call_1', content: '2' },
    ]
    expect(told()).toEqual(expected)
    const reference = { type: 'item_reference', id: item?.id ?? '' } as const
    await create([{ role: 'user', content: '1 + 1?' }, reference, output])
    expect(told()).toEqual(expected)
    const gone = { ...reference, id: `fc_${'1'.repeat(23)}abcdefgh_0` }
    await expect(create([gone])).rejects.toMatchObject({ status: 404, param: 'input' })
  })

  it('only with store', async () => {
    const unkept = await create('Hi', { store: false })
    expect(unkept).toMatchObject({ store: false })
    await expect(client.responses.retrieve(unkept.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError)
    await create('Hi', { store: true })
    expect(world.upstream.last().json).not.toHaveProperty('store')
  })

  it('without its input where that is longer than a mebibyte, and not at all where the answer is', async () => {
    const long = 'x'.repeat(1024 * 1024)
    const first = await create(long)
    expect(await client.responses.retrieve(first.id)).toEqual(first)
    await expect(create('On', { previous_response_id: first.id })).rejects.toMatchObject({
      code: 'previous_response_not_found',
    })
    const [item] = first.output
    await create([
      { role: 'user', content: long },
      { type: 'item_reference', id: item?.id ?? '' },
    ])
    expect(told()).toEqual([user(long), { role: 'assistant', content: 'Hello there' }])
    world.upstream.answers({ body: { choices: [{ message: { role: 'assistant', content: long } }] } })
    const { id } = await create('Hi')
    await expect(client.responses.retrieve(id)).rejects.toBeInstanceOf(OpenAI.NotFoundError)
  })

  it('for its account only: unknown, another account’s and malformed ids are refused as the vendor does', async () => {
    const { id } = await create('Mine')
    const bob = await clientOf(await world.user({ quota: 1_000_000 }))
    for (const unknown of [id, 'resp_nothing']) {
      await expect(bob.responses.retrieve(unknown)).rejects.toMatchObject({ status: 404, code: 'response_not_found' })
      await expect(bob.responses.delete(unknown)).rejects.toMatchObject({ status: 404 })
      await expect(bob.responses.inputItems.list(unknown)).rejects.toMatchObject({ status: 404 })
      await expect(
        bob.responses.create({ model: MODEL, input: 'x', previous_response_id: unknown }),
      ).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found', param: 'previous_response_id' })
    }
    for (const query of [{ limit: 0 }, { limit: 101 }, { after: 'x' }, { order: 'up' as 'asc' }])
      await expect(client.responses.inputItems.list(id, query)).rejects.toMatchObject({ status: 400 })
  })

  it.each([{ conversation: 'conv_1' }, { prompt: { id: 'pmpt_1' } }])(
    '%o is refused, since no vendor supports it',
    async (more) => {
      const [param] = Object.keys(more)
      await expect(create('Hi', more)).rejects.toMatchObject({ status: 400, code: 'convert_request_failed', param })
      expect(world.upstream.requests).toHaveLength(0)
    },
  )

  it('not at all where the option is 0', async () => {
    await world.option('general_setting.stored_response_hours', 0)
    const unkept = await create('Hi')
    expect(unkept).toMatchObject({ store: false })
    await expect(client.responses.retrieve(unkept.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError)
    await world.option('general_setting.stored_response_hours', 72)
  })

  it('once: a conversation needs as much space as its messages, and continues beyond the length of one response', async () => {
    const rows = () =>
      world.gateway.inner.db
        .selectFrom('stored_responses')
        .select(['id', 'content'])
        .where('user_id', '=', carol.id)
        .execute()
    const carol = await world.user({ quota: 1_000_000_000 })
    client = await clientOf(carol)
    const said = (turn: number) => `${turn}: ${'word '.repeat(60_000)}`
    let last = await create(said(0))
    for (let turn = 1; turn < 6; turn += 1) last = await create(said(turn), { previous_response_id: last.id })
    expect(told()).toHaveLength(11)
    expect(told()[8]).toEqual(user(said(4)))
    await expect.poll(async () => (await rows()).length).toBe(6)
    // The bound allows for the base64 of encrypted content.
    for (const { content } of await rows()) expect(content.length).toBeLessThan(600_000)
    client = await clientOf(alice)
  })

  it('as long as it continues', async () => {
    const first = await create('one')
    world.clock.advanceSeconds(40 * 3600)
    const second = await create('two', { previous_response_id: first.id })
    await expect.poll(() => prolonged(first.id)).toBe(true)
    world.clock.advanceSeconds(40 * 3600)
    await create('three', { previous_response_id: second.id })
    expect(told()).toHaveLength(5)
    await client.responses.delete(first.id)
    await expect(create('four', { previous_response_id: second.id })).rejects.toMatchObject({
      status: 400,
      code: 'previous_response_not_found',
    })
    await expect(client.responses.inputItems.list(second.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError)
  })

  it('and is not read for a caller who could not pay for the rest of the call', async () => {
    const poor = await clientOf(await world.user({ quota: 0 }))
    const asking = poor.responses.create({ model: MODEL, input: 'Hi', previous_response_id: 'resp_nobodys' })
    await expect(asking).rejects.toMatchObject({ status: 403, code: 'insufficient_user_quota' })
  })

  it('sealed at rest, through a restart, until its time is over', async () => {
    const { id } = await create('a secret word')
    const again = await world.restart()
    const row = await again.gateway.inner.db
      .selectFrom('stored_responses')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ user_id: alice.id, channel_id: 0, content: expect.stringMatching(/^v1\./) })
    expect(Buffer.from(row.content.split('.')[3] ?? '', 'base64url').includes('secret word')).toBe(false)
    const later = new OpenAI({ apiKey: client.apiKey, baseURL: `${again.url}/v1`, maxRetries: 0 })
    expect((await later.responses.retrieve(id)).id).toBe(id)
    world.clock.advanceSeconds(72 * 3600)
    await expect(later.responses.retrieve(id)).rejects.toBeInstanceOf(OpenAI.NotFoundError)
  })
})
