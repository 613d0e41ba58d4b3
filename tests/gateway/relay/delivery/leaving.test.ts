import { randomInt } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { messageStream } from '../../../support/anthropic.ts'
import { chatAnswer, chatStream, usageOf } from '../../../support/chat.ts'
import { untimed } from '../../../support/untimed.ts'
import type { Script } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { balancesOf, lastReceipt, receiptsOf } from '../metering/receipts.ts'
import { CHAT, chat } from './wire.ts'

let world: World
let alice: Person
const GIVEN = 1_000_000_000
const SEARCHING = 'gpt-4o-search-preview'
const CLAUDE = 'claude-sonnet-4-5'
const options = {
  ModelRatio: { 'gpt-4o': 1, o3: 1, [SEARCHING]: 1, [CLAUDE]: 1 },
  CompletionRatio: { 'gpt-4o': 2, o3: 1, [SEARCHING]: 1, [CLAUDE]: 1 },
}
const ASKED = Symbol('the upstream is asked')
/** The request, and the time by which the clock advances before the caller leaves. */
type Asked = Readonly<{
  model?: string
  stream?: boolean
  afterMs?: number
  max_completion_tokens?: number
  messages?: object[]
  reasoning_effort?: string
}>

beforeAll(async () => {
  world = await aWorld({ options })
  await world.channel({ models: `gpt-4o,o3,${SEARCHING}` })
  await world.channel({ models: CLAUDE, type: 14 })
  alice = await world.user({ quota: GIVEN })
})
beforeEach(() => world.upstream.reset())

/** Holds back the upstream's response until the test supplies it. */
function heldUpstream({ upstream } = world) {
  const { promise, resolve } = Promise.withResolvers<Script>()
  upstream.answers(() => promise)
  return { answers: resolve }
}

/**
 * Sends a request and hangs up: once the response contains the text `enough`, after that many milliseconds, or once the
 * upstream has received the request.
 */
async function leaving(
  enough: string | number | typeof ASKED,
  { model = 'gpt-4o', stream = true, afterMs = 0, ...more }: Asked = {},
  { world: { url, upstream }, person } = { world, person: alice },
): Promise<void> {
  const headers = { authorization: `Bearer ${await person.key()}`, 'content-type': 'application/json' }
  await new Promise<void>((resolve) => {
    const outgoing = request(url + CHAT, { method: 'POST', headers, agent: false })
    const leave = () => outgoing.destroy()
    outgoing.on('error', () => resolve())
    outgoing.on('close', () => resolve())
    outgoing.on('response', (incoming) => {
      let text = ''
      incoming.on('data', (chunk) => {
        text += chunk
        if (typeof enough !== 'string' || !text.includes(enough)) return
        world.clock.advance(afterMs)
        leave()
      })
      incoming.on('error', () => resolve())
    })
    outgoing.end(chat(model, { stream, ...more }))
    if (typeof enough === 'number') setTimeout(leave, enough)
    if (enough === ASKED)
      void expect
        .poll(() => upstream.requests.length, { timeout: 5000 })
        .toBe(1)
        .finally(leave)
  })
}
/**
 * Whether nothing is reserved, so that the complete balance can be. Streams may wait for their usage for five seconds
 * at most.
 */
async function canHoldAll(): Promise<boolean> {
  const quota = await alice.quota()
  try {
    const all = { requestId: 'everything', userId: alice.id, tokenId: 0, quota }
    const hold = await world.gateway.inner.ledger.hold(all)
    hold.release()
    return true
  } catch {
    return false
  }
}
const rows = async () => (await receiptsOf(world, alice.id)).length
/** Leaves as above, and expects the upstream's call to end at once. */
const leavingEndsIt = (enough: string | typeof ASKED, asked?: Asked) =>
  untimed(async () => {
    const count = await rows()
    await leaving(enough, asked)
    expect(await world.upstream.last().aborted).toBe(true)
    // This must happen before the clock advances, which would end the time for counting the tokens.
    await expect.poll(rows).toBe(count + 1)
  })

/** Requests a stream, reads only its beginning, and hangs up after `done`. */
async function leavingUnread(done: () => Promise<unknown>): Promise<void> {
  const headers = { authorization: `Bearer ${await alice.key()}`, 'content-type': 'application/json' }
  const left = Promise.withResolvers<void>()
  const outgoing = request(world.url + CHAT, { method: 'POST', headers, agent: false })
  outgoing.on('error', () => {}).on('close', left.resolve)
  outgoing.on('response', (incoming) => {
    incoming.on('error', () => {}).pause()
    void done().finally(() => outgoing.destroy())
  })
  outgoing.end(chat('gpt-4o', { stream: true }))
  await left.promise
}

describe('a caller that leaves (docs/reference/streams.md#cancellation, docs/reference/reliability.md#faults)', () => {
  it('without reading pays for what the upstream has already sent', async () => {
    let sent = 0
    const event = {
      choices: [{ index: 0, delta: { content: ' word'.repeat(2000) }, finish_reason: null }],
      toJSON() {
        sent += 1
        return { choices: event.choices }
      },
    }
    world.upstream.answers({ events: Array.from({ length: 4000 }, () => event), hang: true })
    /** The upstream waits until the gateway reads, which waits for the caller. */
    const isStuck = async () => {
      const before = sent
      await sleep(300)
      return before > 100 && sent === before
    }
    const before = await rows()
    await leavingUnread(() => expect.poll(isStuck, { timeout: 20_000 }).toBe(true))
    const leastTokens = (sent - 1) * 2000
    await expect.poll(rows, { timeout: 10_000 }).toBe(before + 1)
    const { completion_tokens, other } = await lastReceipt(world, alice.id)
    expect(completion_tokens).toBeGreaterThanOrEqual(leastTokens)
    expect(other.ended).toBe('client-gone')
  })

  it('of a plain call pays for the answer, which its upstream works out to the end', async () => {
    const count = await rows()
    const upstream = heldUpstream()
    await leaving(ASKED, { stream: false })
    upstream.answers({ body: chatAnswer('Hello', { prompt: 70, completion: 30 }) })
    expect(await lastReceipt(world, alice.id, count + 1)).toMatchObject({
      ...{ type: 2, quota: 130, other: { ended: 'client-gone', usage_source: 'upstream' } },
    })
    expect(await world.upstream.last().aborted).toBe(false)
    expect(await canHoldAll()).toBe(true)
  })

  it('of a stream that has not begun pays the prompt once it begins, and ends it then', async () => {
    const count = await rows()
    const upstream = heldUpstream()
    await leaving(ASKED)
    upstream.answers({ events: [Buffer.from(': ping\n\n')], hang: true })
    const { quota, prompt_tokens, other } = await lastReceipt(world, alice.id, count + 1)
    expect(quota).toBe(prompt_tokens)
    expect(prompt_tokens).toBeGreaterThan(0)
    expect(other).toMatchObject({ ended: 'client-gone', usage_source: 'estimated' })
    expect(await world.upstream.last().aborted).toBe(true)
  })

  it.each([
    ['plain', false],
    ['streamed', true],
  ])('pays nothing where its upstream fails, which gets no second request, %s', async (_, stream) => {
    const [before, count] = [await alice.quota(), await rows()]
    const upstream = heldUpstream()
    await leaving(ASKED, { stream })
    upstream.answers({ status: 500, body: { error: { message: 'out of order' } } })
    const receipt = await lastReceipt(world, alice.id, count + 1)
    expect(receipt).toMatchObject({ type: 5, quota: 0, other: { status_code: 499 } })
    expect(await alice.quota()).toBe(before)
    expect(await canHoldAll()).toBe(true)
    expect(world.upstream.requests).toHaveLength(1)
  })

  it.each<[string, Script]>([
    ['says an error', { events: [{ error: { message: 'out of order', type: 'server_error' } }] }],
    ['breaks off', { events: [Buffer.from(': ping\n\n'), 'never'], cutAfter: 1 }],
    ['ends without an answer', { events: [Buffer.from(': ping\n\n')] }],
  ])('of a stream that is read to its end pays nothing where its upstream %s', async (_, script) => {
    const [before, count] = [await alice.quota(), await rows()]
    const upstream = heldUpstream()
    await leaving(ASKED, { model: SEARCHING })
    upstream.answers(script)
    expect(await lastReceipt(world, alice.id, count + 1)).toMatchObject({ quota: 0 })
    expect(await alice.quota()).toBe(before)
    world.clock.advanceSeconds(3600)
  })

  it('occupies its slot until its upstream is done', async () => {
    const small = await aWorld({ options, config: { MAX_REQUESTS_PER_USER: '1' } })
    await small.channel()
    const bob = await small.user({ quota: GIVEN })
    const upstream = heldUpstream(small)
    await leaving(ASKED, { stream: false }, { world: small, person: bob })
    expect((await bob.asks('gpt-4o', 'hi')).status).toBe(429)
    upstream.answers({ body: chatAnswer('Hello') })
    await expect.poll(async () => (await bob.asks('gpt-4o', 'hi')).status).toBe(200)
  })

  it('before the first token pays the prompt', async () => {
    const count = await rows()
    world.upstream.streams([{ type: 'ping' }], { hang: true })
    await leavingEndsIt('ping')
    const { quota, prompt_tokens, other } = await lastReceipt(world, alice.id, count + 1)
    expect(other).toMatchObject({ ended: 'client-gone' })
    expect([quota > 0, quota]).toEqual([true, prompt_tokens])
  })

  it('while its beginning is delayed pays the prompt, and ends it', async () => {
    const count = await rows()
    world.upstream.streams([{ choices: [{ index: 0, delta: { role: 'assistant' } }] }], { hang: true })
    await leaving(100)
    const { quota, prompt_tokens, other } = await lastReceipt(world, alice.id, count + 1)
    expect([other.ended, quota > 0, quota]).toEqual(['client-gone', true, prompt_tokens])
    expect(await world.upstream.last().aborted).toBe(true)
  })

  it('pays for hidden thinking by the second, no more than was reserved', async () => {
    const count = await rows()
    world.upstream.streams([{ type: 'ping' }], { hang: true })
    await leavingEndsIt('ping', { model: 'o3', afterMs: 60_000 })
    const receipt = await lastReceipt(world, alice.id, count + 1)
    expect(receipt).toMatchObject({
      completion_tokens: 3000,
      other: { reasoning_tokens: 3000, usage_source: 'estimated' },
    })
    await leavingEndsIt('ping', { model: 'o3', afterMs: 60_000, max_completion_tokens: 100 })
    expect(await lastReceipt(world, alice.id, count + 2)).toMatchObject({ completion_tokens: 100 })
  })

  it('pays for hidden thinking also after a summary of it, but not for silence after the answer has begun', async () => {
    const count = await rows()
    const summary = messageStream({ thoughts: 'A summary.' }).slice(0, 4)
    world.upstream.streams(summary, { hang: true })
    await leavingEndsIt('A summary.', { model: CLAUDE, afterMs: 60_000, reasoning_effort: 'high' })
    const { completion_tokens, other } = await lastReceipt(world, alice.id, count + 1)
    expect(completion_tokens).toBeGreaterThanOrEqual(3000)
    expect(other).toMatchObject({ usage_source: 'estimated' })
    const summaryOfChat = [{ choices: [{ index: 0, delta: { reasoning_content: 'A summary.' } }] }]
    world.upstream.streams(summaryOfChat, { hang: true })
    await leavingEndsIt('A summary.', { model: 'o3', afterMs: 60_000 })
    expect((await lastReceipt(world, alice.id, count + 2)).completion_tokens).toBeGreaterThanOrEqual(3000)
    world.upstream.streams([...chatStream(['The answer'], null).slice(0, 1)], { hang: true })
    await leavingEndsIt('The answer', { model: 'o3', afterMs: 60_000 })
    expect((await lastReceipt(world, alice.id, count + 3)).completion_tokens).toBeLessThan(10)
  })

  it.each<readonly [string, object]>([
    [
      'a file',
      { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${'JVBE'.repeat(500)}` } },
    ],
    ['a recording', { type: 'input_audio', input_audio: { format: 'mp3', data: 'SUQz'.repeat(500) } }],
    ['an image by URL', { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }],
  ])('of a stream pays for %s by the vendor’s figures', async (_, part) => {
    const count = await rows()
    world.upstream.streams(chatStream(['The answer', ' and more'], { prompt: 7000, completion: 30 }), { gapMs: 100 })
    await leaving('The answer', { messages: [{ role: 'user', content: [{ type: 'text', text: 'read it' }, part] }] })
    const receipt = await lastReceipt(world, alice.id, count + 1)
    expect(receipt).toMatchObject({ prompt_tokens: 7000, other: { usage_source: 'upstream', ended: 'client-gone' } })
    expect(await world.upstream.last().aborted).toBe(false)
  })

  it('of a stream with tools that the vendor runs pays what its end reports of them', async () => {
    const count = await rows()
    const events = chatStream(['The answer', ' and more'], { prompt: 7000, completion: 30 })
    world.upstream.streams(events, { gapMs: 100 })
    await leaving('The answer', { model: SEARCHING })
    const receipt = await lastReceipt(world, alice.id, count + 1)
    expect(receipt).toMatchObject({ prompt_tokens: 7000, other: { usage_source: 'upstream', ended: 'client-gone' } })
    expect(receipt.other.web_search_call_count).toBe(1)
    expect(await world.upstream.last().aborted).toBe(false)
  })

  it('in the middle pays the prompt and the delivered part', async () => {
    const count = await rows()
    world.upstream.streams([...chatStream(['word '.repeat(50), 'last'], null).slice(0, 2)], { hang: true })
    await leavingEndsIt('last')
    const receipt = await lastReceipt(world, alice.id, count + 1)
    expect(receipt.other).toMatchObject({ ended: 'client-gone', usage_source: 'counted' })
    expect(receipt.prompt_tokens).toBeGreaterThan(0)
    expect(receipt.completion_tokens).toBeGreaterThan(45)
    expect(receipt.quota).toBe(receipt.prompt_tokens + receipt.completion_tokens * 2)
  })

  it('after the finish pays the usage that the upstream reports a moment later', async () => {
    const count = await rows()
    const events = chatStream(['Hello'], null)
    world.upstream.streams([...events.slice(0, 2), { choices: [], usage: usageOf({ prompt: 70, completion: 30 }) }], {
      gapMs: 250,
    })
    await leaving('"finish_reason":"stop"')
    const receipt = await lastReceipt(world, alice.id, count + 1)
    expect(receipt).toMatchObject({ quota: 130, other: { usage_source: 'upstream', ended: 'client-gone' } })
  })

  it('at any moment leaves the ledger right and no reservation', async () => {
    world.upstream.streams(chatStream(['a', 'b', 'c', 'd'], { prompt: 100, completion: 20 }), { gapMs: 8 })
    const count = await rows()
    await Promise.all(Array.from({ length: 60 }, (_, turn) => sleep(turn * 3).then(() => leaving(randomInt(0, 70)))))
    await expect.poll(canHoldAll).toBe(true)
    const books = await balancesOf(world, alice.id, GIVEN)
    expect(books.balanced).toBe(true)
    expect(books.receipts.length - count).toBeLessThanOrEqual(60)
    for (const { quota } of books.receipts.slice(count)) expect(quota).toBeLessThanOrEqual(140)
  })
})
