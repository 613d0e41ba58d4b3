import OpenAI from 'openai'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { refuseFull } from '../../../../gateway/relay/stored/recall.ts'
import { chatAnswer } from '../../../support/chat.ts'
import { aClock } from '../../../support/clock.ts'
import { reconcile } from '../../../support/reconcile.ts'
import { responseAnswer, responseStream } from '../../../support/responses.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { gathered } from './gathered.ts'

/** A channel type without a Responses API. */
const DEEPSEEK = 43
const MIB = 1024 * 1024
const [OWN, VENDORS] = ['deepseek-chat', 'gpt-4o']

let world: World
let alice: Person
let client: OpenAI

beforeAll(async () => {
  world = await aWorld({ clock: aClock(1_800_000_000_000), options: { ModelRatio: { [OWN]: 1, [VENDORS]: 1 } } })
  await world.channel({ type: DEEPSEEK, models: OWN })
  await world.channel({ models: VENDORS })
  alice = await world.user({ quota: 100_000_000 })
  client = await clientOf(alice)
})
beforeEach(() => world.upstream.reset())

const clientOf = async (person: Person) =>
  new OpenAI({ apiKey: `sk-${await person.key()}`, baseURL: `${world.url}/v1`, maxRetries: 0 })
const turn = (conversation: string, input: string, more: object = {}) =>
  client.responses.create({ model: OWN, conversation, input, ...more, stream: false })
const user = (content: string) => ({ role: 'user', content })
const textsOf = async (id: string) =>
  (await gathered(await client.conversations.items.list(id, { order: 'asc', limit: 2 }))).map((item) =>
    item.type === 'message' ? item.content.flatMap((part) => ('text' in part ? [part.text] : [])).join() : item.type,
  )

describe('a conversation (docs/reference/endpoints.md#conversations)', () => {
  it('is made with items and metadata, read, changed and deleted', async () => {
    const metadata = { topic: 'tea' }
    const made = await client.conversations.create({ metadata, items: [user('Hi') as never] })
    expect(made).toEqual({
      id: expect.stringMatching(/^conv_/),
      object: 'conversation',
      created_at: 1_800_000_000,
      metadata,
    })
    expect(await client.conversations.retrieve(made.id)).toEqual(made)
    expect(await textsOf(made.id)).toEqual(['Hi'])
    const changed = await client.conversations.update(made.id, { metadata: { topic: 'coffee' } })
    expect(await client.conversations.retrieve(made.id)).toEqual(changed)
    expect(changed.metadata).toEqual({ topic: 'coffee' })
    expect(await client.conversations.delete(made.id)).toEqual({
      id: made.id,
      object: 'conversation.deleted',
      deleted: true,
    })
    await expect(client.conversations.retrieve(made.id)).rejects.toMatchObject({
      status: 404,
      code: 'conversation_not_found',
    })
    expect(await client.conversations.create()).toMatchObject({ metadata: {} })
  })

  it('is added to, read page by page, and has items deleted', async () => {
    const { id } = await client.conversations.create()
    const items = [user('one'), { ...user('two'), id: 'msg_two', type: 'message' }, user('three')] as never[]
    const added = await client.conversations.items.create(id, { items })
    expect(added.data).toHaveLength(3)
    expect(await textsOf(id)).toEqual(['one', 'two', 'three'])
    const newest = await client.conversations.items.list(id, { limit: 1 })
    expect([newest.data[0]?.id, newest.has_more]).toEqual([added.last_id, true])
    const two = await client.conversations.items.retrieve('msg_two', { conversation_id: id })
    expect(two).toMatchObject({ id: 'msg_two', role: 'user', status: 'completed' })
    await expect(client.conversations.items.create(id, { items: items.slice(1, 2) })).rejects.toMatchObject({
      status: 400,
      param: 'items',
    })
    expect(await client.conversations.items.delete('msg_two', { conversation_id: id })).toMatchObject({ id })
    expect(await textsOf(id)).toEqual(['one', 'three'])
    for (const verb of ['retrieve', 'delete'] as const)
      await expect(client.conversations.items[verb]('msg_two', { conversation_id: id })).rejects.toMatchObject({
        status: 404,
        code: 'item_not_found',
      })
  })

  it.each([
    { items: 'x' },
    { items: [] },
    { items: [1] },
    { items: Array.from({ length: 21 }, () => user('x')) },
    {
      items: [
        { ...user('x'), id: 'a' },
        { ...user('y'), id: 'a' },
      ],
    },
    { metadata: 'x' },
    { metadata: { a: 1 } },
    { metadata: { a: 'x'.repeat(513) } },
    { metadata: { ['x'.repeat(65)]: 'a' } },
    { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [index, 'x'])) },
  ])('refuses an invalid one: %o', async (body) => {
    const [param] = Object.keys(body)
    await expect(client.conversations.create(body as never)).rejects.toMatchObject({ status: 400, param })
  })
})

describe('a turn of a conversation', () => {
  it('is sent with all previous items, and adds its input and answer', async () => {
    const { id } = await client.conversations.create({ items: [user('My name is Ada.') as never] })
    const first = await turn(id, 'Who am I?')
    expect(first.conversation).toEqual({ id })
    const asked = [user('My name is Ada.'), user('Who am I?')]
    expect(world.upstream.last().json.messages).toEqual(asked)
    const stream = await client.responses.create({
      model: OWN,
      conversation: { id },
      input: 'Sure?',
      store: false,
      stream: true,
    })
    await gathered(stream)
    await turn(id, 'Again!')
    const answer = { role: 'assistant', content: 'Hello there' }
    expect(world.upstream.last().json.messages).toEqual([...asked, answer, user('Sure?'), answer, user('Again!')])
    expect(await textsOf(id)).toHaveLength(7)
  })

  it('passes between vendors, without vendor-specific parts', async () => {
    const { id } = await client.conversations.create()
    const said = { thoughts: 'Hm', texts: ['Blue'] }
    world.upstream.answers({ body: responseAnswer(said) })
    await turn(id, 'Colour?', { model: VENDORS })
    expect(world.upstream.last().json).not.toHaveProperty('conversation')
    world.upstream.reset()
    await turn(id, 'Why?')
    expect(world.upstream.last().json.messages.map(({ content }: { content: string }) => content)).toEqual([
      'Colour?',
      'Blue',
      'Why?',
    ])
    world.upstream.answers({ events: responseStream({ texts: ['Sky'] }, {}, 'resp_2') })
    await gathered(await client.responses.create({ model: VENDORS, conversation: id, input: 'Reason?', stream: true }))
    const { input } = world.upstream.last().json
    expect(input.map(({ id: itemId }: { id?: string }) => itemId)).toEqual([
      undefined,
      expect.stringMatching(/^rs_/),
      undefined,
      undefined,
      undefined,
      expect.stringMatching(/^msg_/),
    ])
    expect((await textsOf(id)).at(-1)).toBe('Sky')
  })

  it('adds nothing where it failed', async () => {
    const { id } = await client.conversations.create()
    world.upstream.answers({ status: 400, body: { error: { message: 'no' } } })
    await expect(turn(id, 'Hi')).rejects.toMatchObject({ status: 400 })
    expect(await textsOf(id)).toEqual([])
  })

  /** A response of the vendor's own API: an item with `count` log probabilities, and another item. */
  const scored = (count: number, text = 'Good.') => {
    const score = { token: ' tok', logprob: -0.01, bytes: [32, 116, 111, 107] }
    const logprobs = Array(count).fill({ ...score, top_logprobs: Array(20).fill(score) })
    const contentOf = (part: object) => [{ type: 'output_text', annotations: [], ...part }]
    const item = { type: 'message', role: 'assistant', status: 'completed' }
    const output = [
      { ...item, id: 'msg_1', content: contentOf({ text, logprobs }) },
      { ...item, id: 'msg_2', content: contentOf({ text: 'Bye.' }) },
    ]
    const usage = { input_tokens: 12, output_tokens: 2500, total_tokens: 2512 }
    return { id: 'resp_1', object: 'response', status: 'completed', model: VENDORS, output, usage }
  }
  it.each([
    ['was too long to be read', scored(2500)],
    ['has an item that is too long to be stored', scored(0, 'x'.repeat(8 * 1024 * 1024 + 1))],
    ['is not a list', { ...scored(0), output: null }],
  ])('adds nothing of a turn whose output %s', async (_, body) => {
    const { id } = await client.conversations.create({ items: [user('Hi') as never] })
    world.upstream.answers({ body })
    const { status, text } = await alice.calls('/v1/responses', { model: VENDORS, conversation: id, input: 'Again' })
    expect([status, text.length]).toEqual([200, JSON.stringify(body).length])
    expect(await textsOf(id)).toEqual(['Hi'])
    world.upstream.answers({ body: scored(1) })
    expect((await alice.calls('/v1/responses', { model: VENDORS, conversation: id, input: 'Again' })).status).toBe(200)
    expect(await textsOf(id)).toEqual(['Hi', 'Again', 'Good.', 'Bye.'])
  })

  it('adds nothing of a stream whose end does not repeat the output', async () => {
    const { id } = await client.conversations.create({ items: [user('Hi') as never] })
    const [item] = scored(0).output
    const response = { ...scored(0), output: [] }
    world.upstream.streams([
      { type: 'response.created', response: { ...response, status: 'in_progress' } },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ])
    const body = { model: VENDORS, conversation: id, input: 'Again', stream: true }
    expect((await alice.calls('/v1/responses', body)).text).toContain('response.completed')
    expect(await textsOf(id)).toEqual(['Hi'])
  })

  it('is not one of a previous response as well, and of no conversation of others', async () => {
    const { id } = await client.conversations.create()
    await expect(turn(id, 'Hi', { previous_response_id: 'resp_x' })).rejects.toMatchObject({
      status: 400,
      code: 'mutually_exclusive_parameters',
    })
    const bob = await clientOf(await world.user({ quota: 1_000_000 }))
    const unknown = { status: 404, code: 'conversation_not_found' }
    for (const ask of [
      () => bob.responses.create({ model: OWN, conversation: id, input: 'Hi' }),
      () => bob.responses.create({ model: VENDORS, conversation: id, input: 'Hi' }),
      () => bob.conversations.retrieve(id),
      () => bob.conversations.update(id, { metadata: {} }),
      () => bob.conversations.delete(id),
      () => bob.conversations.items.list(id),
      () => bob.conversations.items.create(id, { items: [user('x') as never] }),
    ])
      await expect(ask()).rejects.toMatchObject(unknown)
    expect(world.upstream.requests).toHaveLength(0)
  })

  it('is counted with all of it', async () => {
    const { id } = await client.conversations.create({ items: [user('word '.repeat(500)) as never] })
    const { json } = await alice.calls('/v1/responses/input_tokens', { model: OWN, conversation: id, input: 'Hi' })
    expect(json.input_tokens).toBeGreaterThan(500)
  })
})

describe('the disk space of conversations (docs/reference/limits.md#disk-space)', () => {
  it('is counted as stored, and less without a balance', async () => {
    const poor = await world.user({ quota: 0 })
    const { json: made } = await poor.calls('/v1/conversations', {})
    const content = [{ type: 'input_text', text: '好'.repeat(MIB) }]
    const add = () =>
      poor.calls(`/v1/conversations/${made.id}/items`, { items: [{ type: 'message', role: 'user', content }] })
    const statuses: number[] = []
    for (let call = 0; call < 5; call += 1) statuses.push((await add()).status)
    expect(statuses).toEqual([200, 200, 200, 400, 400])
    const { db } = world.gateway.inner
    const lengths = db.selectFrom('conversations').select('size').where('id', '=', made.id)
    expect((await lengths.executeTakeFirstOrThrow()).size).toBeGreaterThan(3 * 4 * MIB)
    await world.gateway.inner.ledger.move({ kind: 'grant', userId: poor.id, amount: 1, refType: 'test', refId: 'cent' })
    expect((await add()).status).toBe(200)
    expect((await reconcile(db)).length).toBe(0)
  })

  it('is refused while the disk is almost full', async () => {
    const full = { hasSpace: () => false, totals: async () => ({ count: 0, size: 0 }) }
    const owner = { userId: alice.id, tokenId: 0, isGuest: false }
    await expect(refuseFull(full, owner, { id: '', size: 0, more: 1 })).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'storage_unavailable',
    })
  })
})

describe('conversations', () => {
  it('count every value towards their size, so that many small ones fill them too', async () => {
    const { id } = await client.conversations.create()
    const many = { ...user('x'), type: 'message', extra: Array.from({ length: 300_000 }, () => 0) }
    const add = () => client.conversations.items.create(id, { items: [many as never] })
    await add()
    await expect(add()).rejects.toMatchObject({ status: 400, code: 'conversation_full' })
  })

  it('replace an id that is too long for an index', async () => {
    const { id } = await client.conversations.create()
    const item = { ...user('x'), type: 'message', id: 'i'.repeat(3000) }
    const { data } = await client.conversations.items.create(id, { items: [item as never] })
    expect(data[0]?.id).toMatch(/^msg_\w{32}$/)
  })

  it('count half surrogate pairs towards their size, because these take long to write', async () => {
    const { id } = await client.conversations.create()
    const add = () => client.conversations.items.create(id, { items: [user('\ud800'.repeat(90_000)) as never] })
    for (let count = 0; count < 3; count += 1) await add()
    await expect(add()).rejects.toMatchObject({ status: 400, code: 'conversation_full' })
  })

  it('refuse a turn with more items, or longer ones, than may be stored', async () => {
    const { id } = await client.conversations.create()
    const say = (input: object[]) =>
      client.responses.create({ model: OWN, conversation: id, input: input as never, stream: false })
    const many = Array.from({ length: 1001 }, () => user('x'))
    await expect(say(many)).rejects.toMatchObject({ status: 400, param: 'input' })
    await expect(say([user('x'.repeat(8 * 1024 * 1024 + 1))])).rejects.toMatchObject({ status: 400, param: 'input' })
    world.upstream.answers({ body: chatAnswer('Good.') })
    await say(many.slice(1))
    expect((await client.conversations.items.list(id, { order: 'desc', limit: 1 })).data).toMatchObject([
      { content: [{ text: 'Good.' }] },
    ])
    expect(await client.conversations.delete(id)).toMatchObject({ deleted: true })
    await expect(client.conversations.retrieve(id)).rejects.toMatchObject({ status: 404 })
  })

  it('refuse a turn with more tools, stored ones included, than a request may have', async () => {
    const { id } = await client.conversations.create()
    const tools = (count: number) => [
      {
        type: 'additional_tools',
        tools: Array.from({ length: count }, (_, at) => ({ type: 'custom', name: `t${at}` })),
      },
    ]
    const say = (input: object[]) =>
      client.responses.create({ model: OWN, conversation: id, input: input as never, stream: false })
    world.upstream.answers({ body: chatAnswer('Good.') })
    await say(tools(1500))
    await expect(say(tools(501))).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('more than 2000 tools'),
    })
    await say(tools(400))
  })

  it('return a long item as it was sent, stored in rows of less than 1 MiB', async () => {
    const { id } = await client.conversations.create()
    const content = '1二😀'.repeat(400_000)
    const [item] = (await client.conversations.items.create(id, { items: [user(content) as never] })).data
    const { db } = world.gateway.inner
    for (const table of ['conversation_items', 'conversation_parts'] as const) {
      const rows = await db.selectFrom(table).select('content').where('conversation_id', '=', id).execute()
      expect(rows).toHaveLength(table === 'conversation_items' ? 1 : 4)
      for (const row of rows) expect(row.content.length).toBeLessThan(1024 ** 2)
    }
    expect(await client.conversations.items.retrieve(item?.id ?? '', { conversation_id: id })).toMatchObject({
      content: [{ text: content }],
    })
    expect(await textsOf(id)).toEqual([content])
    await client.conversations.items.delete(item?.id ?? '', { conversation_id: id })
    expect((await client.conversations.retrieve(id)).id).toBe(id)
    expect(
      await db.selectFrom('conversation_parts').select('part').where('conversation_id', '=', id).execute(),
    ).toEqual([])
  })

  it('refuse blocked words, which would reach a vendor with the next turn', async () => {
    await world.option('SensitiveWords', 'xyzzy')
    const items = [user('say xyzzy') as never]
    const { id } = await client.conversations.create()
    const failed = async (asked: Promise<unknown>) =>
      expect(await asked.catch((error) => error)).toMatchObject({ status: 400 })
    await failed(client.conversations.create({ items }))
    await failed(client.conversations.items.create(id, { items }))
    expect(await textsOf(id)).toEqual([])
    await world.option('SensitiveWords', '')
  })

  it('are not stored where the option is 0', async () => {
    await world.option('general_setting.stored_response_hours', 0)
    await expect(client.conversations.create()).rejects.toMatchObject({ status: 400, code: 'conversations_disabled' })
    await world.option('general_setting.stored_response_hours', 72)
  })

  it('are stored sealed, through a restart, for as long as they are used', async () => {
    const { id } = await client.conversations.create({
      metadata: { note: 'a secret word' },
      items: [user('a secret word') as never],
    })
    world.clock.advanceSeconds(40 * 3600)
    await turn(id, 'Hi')
    const again = await world.restart()
    const { db } = again.gateway.inner
    const rows = [
      ...(await db.selectFrom('conversations').select('metadata as text').where('id', '=', id).execute()),
      ...(await db
        .selectFrom('conversation_items')
        .select('content as text')
        .where('conversation_id', '=', id)
        .execute()),
    ]
    expect(rows).toHaveLength(4)
    for (const { text } of rows) {
      expect(text).toMatch(/^v1\./)
      expect(Buffer.from(text.split('.')[3] ?? '', 'base64url').includes('secret word')).toBe(false)
    }
    const later = new OpenAI({ apiKey: client.apiKey, baseURL: `${again.url}/v1`, maxRetries: 0 })
    world.clock.advanceSeconds(40 * 3600)
    expect((await later.conversations.retrieve(id)).id).toBe(id)
    world.clock.advanceSeconds(32 * 3600)
    await expect(later.conversations.retrieve(id)).rejects.toMatchObject({ status: 404 })
  })
})
