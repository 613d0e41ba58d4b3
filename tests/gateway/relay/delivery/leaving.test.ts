import { randomInt } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatStream, usageOf } from '../../../support/chat.ts'
import { untimed } from '../../../support/untimed.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { balancesOf, lastReceipt, receiptsOf } from '../metering/receipts.ts'
import { CHAT, chat } from './wire.ts'

let world: World
let alice: Person
const GIVEN = 1_000_000_000
const ASKED = Symbol('the upstream is asked')

beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 }, CompletionRatio: { 'gpt-4o': 2 } } })
  await world.channel()
  alice = await world.user({ quota: GIVEN })
})
beforeEach(() => world.upstream.reset())

/** Asks for an answer and hangs up once `enough` of it is there, after some milliseconds, or once the upstream is asked. */
async function leaving(enough: string | number | typeof ASKED, stream = true): Promise<void> {
  const headers = { authorization: `Bearer ${await alice.key()}`, 'content-type': 'application/json' }
  await new Promise<void>((resolve) => {
    const outgoing = request(world.url + CHAT, { method: 'POST', headers, agent: false })
    const leave = () => outgoing.destroy()
    outgoing.on('error', () => resolve())
    outgoing.on('close', () => resolve())
    outgoing.on('response', (incoming) => {
      let text = ''
      incoming.on('data', (chunk) => {
        text += chunk
        if (typeof enough === 'string' && text.includes(enough)) leave()
      })
      incoming.on('error', () => resolve())
    })
    outgoing.end(chat('gpt-4o', { stream }))
    if (typeof enough === 'number') setTimeout(leave, enough)
    if (enough === ASKED)
      void expect
        .poll(() => world.upstream.requests.length, { timeout: 5000 })
        .toBe(1)
        .finally(leave)
  })
}
/** Whether nothing is set aside: the whole balance can be. Streams that linger for their usage hold on for five seconds at most. */
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
/** Leaves as above, and waits for the upstream's call to end, which it does at once. */
const leavingEndsIt = (enough: string | typeof ASKED, stream = true) =>
  untimed(async () => {
    const count = await rows()
    await leaving(enough, stream)
    expect(await world.upstream.last().aborted).toBe(true)
    // Before time goes on: it would run out for counting the tokens.
    await expect.poll(rows).toBe(count + 1)
  })

describe('a caller that leaves (docs/reference/streams.md#cancellation, docs/reference/reliability.md#faults)', () => {
  it.each([
    ['plain', false],
    ['streamed', true],
  ])('before the first byte pays nothing, and nothing stays set aside, %s', async (_, stream) => {
    const [before, count] = [await alice.quota(), await rows()]
    world.upstream.answers({ hang: true })
    await leavingEndsIt(ASKED, stream)
    const receipt = await lastReceipt(world, alice.id, count + 1)
    expect(receipt).toMatchObject({ type: 5, quota: 0, other: { status_code: 499 } })
    expect(await alice.quota()).toBe(before)
    expect(await canHoldAll()).toBe(true)
  })

  it('before the first token pays nothing', async () => {
    const [before, count] = [await alice.quota(), await rows()]
    world.upstream.streams([Buffer.from(': ping\n\n')], { hang: true })
    await leavingEndsIt('ping')
    expect(await lastReceipt(world, alice.id, count + 1)).toMatchObject({ quota: 0, other: { ended: 'client-gone' } })
    expect(await alice.quota()).toBe(before)
  })

  it('in the middle pays the prompt and what was delivered', async () => {
    const count = await rows()
    world.upstream.streams([...chatStream(['word '.repeat(50), 'last'], null).slice(0, 2)], { hang: true })
    await leavingEndsIt('last')
    const receipt = await lastReceipt(world, alice.id, count + 1)
    expect(receipt.other).toMatchObject({ ended: 'client-gone', usage_source: 'counted' })
    expect(receipt.prompt_tokens).toBeGreaterThan(0)
    expect(receipt.completion_tokens).toBeGreaterThan(45)
    expect(receipt.quota).toBe(receipt.prompt_tokens + receipt.completion_tokens * 2)
  })

  it('after the finish pays what the upstream counts a moment later', async () => {
    const count = await rows()
    const events = chatStream(['Hello'], null)
    world.upstream.streams([...events.slice(0, 2), { choices: [], usage: usageOf({ prompt: 70, completion: 30 }) }], {
      gapMs: 250,
    })
    await leaving('"finish_reason":"stop"')
    const receipt = await lastReceipt(world, alice.id, count + 1)
    expect(receipt).toMatchObject({ quota: 130, other: { usage_source: 'upstream', ended: 'client-gone' } })
  })

  it('at any moment leaves the ledger right and nothing set aside', async () => {
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
