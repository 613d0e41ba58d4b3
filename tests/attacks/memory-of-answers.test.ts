import { gzipSync } from 'node:zlib'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { answerBounds, scanInSlices } from '../../gateway/base/json/json-scan.ts'
import { messageAnswer } from '../support/anthropic.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

const MIB = 1024 * 1024
const MEMORY_MIB = 16
let world: World
let alice: Person
let bob: Person

beforeAll(async () => {
  world = await aWorld({
    config: { MAX_BODY_MEMORY_MB: String(MEMORY_MIB) },
    options: { ModelRatio: { 'gpt-4o': 1, 'claude-opus-4': 0.1 }, RetryTimes: 0 },
  })
  await world.channel({ models: 'gpt-4o' })
  await world.channel({ type: 14, models: 'claude-opus-4' })
  alice = await world.user({ quota: 1_000_000_000 })
  bob = await world.user({ quota: 1_000_000_000 })
})
afterEach(() => world.upstream.reset())

const chat = (content: string) => ({ choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }] })

describe('the memory of whole responses (docs/reference/limits.md#bodies)', () => {
  it('is not taken by a vendor that packs a long response into a short one', async () => {
    const packed = gzipSync(JSON.stringify(chat('a'.repeat(40 * MIB))))
    world.upstream.answers({
      body: packed,
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    })
    const before = await alice.quota()
    expect((await alice.asks('gpt-4o', 'hi')).status).toBe(502)
    expect(await alice.quota()).toBe(before)
  })

  it('leaves an account its own, although another one does not read its responses on the same channel', async () => {
    world.upstream.answers({ body: chat('b'.repeat(3 * MIB)) })
    const headers = { authorization: `Bearer sk-${await alice.key()}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] })
    const leaving = new AbortController()
    const { signal } = leaving
    const unread = await Promise.all(
      Array.from({ length: 6 }, () =>
        fetch(`${world.url}/v1/chat/completions`, { method: 'POST', headers, body, signal }),
      ),
    )
    expect(unread.some(({ status }) => status === 400)).toBe(true)
    expect((await bob.asks('gpt-4o', 'hi')).status).toBe(200)
    leaving.abort()
  })

  it('includes the numbers of vectors, which take more than their two characters', async () => {
    world.upstream.answers({ body: { ...chat('hi'), x: Array(10).fill(Array(100_000).fill(1)) } })
    expect((await alice.asks('gpt-4o', 'hi')).status).toBe(503)
    world.upstream.answers({ body: { ...chat('hi'), x: Array(10).fill(Array(40_000).fill(1)) } })
    expect(await alice.asks('gpt-4o', 'hi')).toMatchObject({ status: 200, content: 'hi' })
  })

  it('is not taken by numbers that a double would change: a response with many of them is not read', async () => {
    const list = `[${Array(100_000).fill('1e999').join()}]`
    const scans = await Promise.all(
      [3, 5].map((count) => scanInSlices(Buffer.from(`[${Array(count).fill(list).join()}]`), answerBounds)),
    )
    expect(scans.map(({ excess }) => excess)).toEqual([null, 'values'])
  })

  it('is bounded over all requests of an account, which pays for what finds no memory', async () => {
    world.upstream.answers({ body: chat('b'.repeat(6 * MIB)) })
    const before = await alice.quota()
    const statuses = await Promise.all(
      Array.from({ length: 6 }, () => alice.asks('gpt-4o', 'hi').then((one) => one.status)),
    )
    expect(statuses).toContain(200)
    const refused = statuses.filter((status) => status === 400).length
    expect(refused).toBeGreaterThan(0)
    // Each refused response costs its reservation: at least the maximum output of the model.
    expect(before - (await alice.quota())).toBeGreaterThan(refused * 16_384)
    expect(await alice.asks('gpt-4o', 'hi').then((one) => one.status)).toBe(200)
  })
})

describe('the memory of a conversation that is read back', () => {
  it('is bounded for an account, and leaves another its own', async () => {
    const last = await chainOf(alice, 6)
    expect(await readAtOnce(alice, last, 1)).toEqual([200])
    expect(await readAtOnce(alice, last, 4)).toContain(503)
    const other = await chainOf(bob, 1)
    const [, ofBob] = await Promise.all([readAtOnce(alice, last, 8), readAtOnce(bob, other, 1)])
    expect(ofBob).toEqual([200])
  })

  it('ends a conversation that needs more than there is', async () => {
    expect(await lengthOf(alice, 12)).toBeLessThan(10)
  })

  async function readAtOnce(person: Person, id: string, count: number): Promise<number[]> {
    const headers = { authorization: `Bearer sk-${await person.key()}` }
    const read = async () => {
      const response = await fetch(`${world.url}/v1/responses/${id}/input_items?limit=1`, { headers })
      await response.text()
      return response.status
    }
    return Promise.all(Array.from({ length: count }, read))
  }

  /** A chain of responses, each with half a mebibyte that no vendor receives. */
  async function chainOf(person: Person, length: number): Promise<string> {
    const { last } = await chained(person, length)
    return last ?? ''
  }

  const lengthOf = async (person: Person, wanted: number) => (await chained(person, wanted)).length

  async function chained(person: Person, wanted: number) {
    world.upstream.answers({ body: messageAnswer({ texts: ['ok'] }, { prompt: 10, completion: 2 }) })
    let last: string | undefined
    for (let length = 0; length < wanted; length += 1) {
      const item = { role: 'user', content: 'hi', description: 'c'.repeat(0.9 * MIB) }
      const previous = last ? { previous_response_id: last } : {}
      const { status, json } = await person.calls('/v1/responses', {
        model: 'claude-opus-4',
        max_output_tokens: 16,
        store: true,
        input: [item],
        ...previous,
      })
      if (status !== 200) return { last, length }
      last = json.id
    }
    return { last, length: wanted }
  }
})

describe('the memory of the items of a conversation', () => {
  it.each([
    ['a page', (id: string) => `${id}/items?limit=1`],
    ['one item', (id: string, item: string) => `${id}/items/${item}`],
  ])('is reserved before %s is read, by the bytes it takes', async (_, pathOf) => {
    const headers = { authorization: `Bearer sk-${await alice.key()}` }
    const { json: conversation } = await alice.calls('/v1/conversations', {})
    const content = [{ type: 'input_text', text: '好'.repeat((2 * MIB) / 3) }]
    const message = { type: 'message', role: 'user', content }
    const { json: added } = await alice.calls(`/v1/conversations/${conversation.id}/items`, { items: [message] })
    const path = pathOf(conversation.id, added.first_id)
    const read = async () => {
      const response = await fetch(`${world.url}/v1/conversations/${path}`, { headers })
      return { status: response.status, text: await response.text() }
    }
    expect((await read()).text).toContain(content[0]?.text)
    const statuses = (await Promise.all(Array.from({ length: 6 }, read))).map(({ status }) => status)
    expect(statuses).toContain(200)
    expect(statuses).toContain(503)
  })
})
