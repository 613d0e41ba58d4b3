import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { GatewayError } from '../../../gateway/base/errors.ts'
import type { Charge, Hold, HoldRequest, Ledger } from '../../../gateway/billing/ledger.ts'
import { createTokenUseRegistry } from '../../../gateway/limits/token-use-registry.ts'
import { budgetedLedger } from '../../../gateway/relay/admission/budgeted-ledger.ts'
import { noSharedCounts } from '../../../gateway/shared-state/shared-counts.ts'
import type { Store } from '../../../gateway/store/store.ts'
import { chatAnswer, chatStream } from '../../support/chat.ts'
import { aClock } from '../../support/clock.ts'
import { aGate } from '../../support/gates.ts'
import { reconcile } from '../../support/reconcile.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'
import { aCaller, eventually } from './websockets/caller.ts'
import { aSocketVendor, type SocketVendor, say } from './websockets/socket-vendor.ts'

/** Delays the results of the ledger and the identities, which are asynchronous here, as with several nodes. */
type Gates = Record<'hold' | 'settle' | 'find', ReturnType<typeof aGate>> & { refusing?: Error | undefined }
const gates: Gates = { hold: aGate(), settle: aGate(), find: aGate() }

function ledgerElsewhere(ledger: Ledger): Ledger {
  const hold = async (ask: HoldRequest): Promise<Hold> => {
    await gates.hold.pass()
    const held = await ledger.hold(ask)
    return {
      get quota() {
        return held.quota
      },
      get isAccountShort() {
        return held.isAccountShort
      },
      extend: held.extend,
      checkpoint: held.checkpoint,
      withdraw: held.withdraw,
      release: held.release,
      async settle(charge: Charge) {
        await held.settle(charge)
        await gates.settle.pass()
        if (gates.refusing) throw gates.refusing
      },
    }
  }
  return { ...ledger, hold }
}

const storeElsewhere = (store: Store): Store => ({
  ...store,
  callers: later(store.callers),
  charges: later(store.charges),
})

/** The same methods, with results delayed by the gate. */
function later<T extends object>(rows: T): T {
  const entries = Object.entries(rows).map(([name, ask]) => {
    const asked = async (...args: unknown[]) => {
      await gates.find.pass()
      return ask(...args)
    }
    return [name, asked]
  })
  return Object.fromEntries(entries)
}

const GIVEN = 1_000_000_000
let world: World
let vendor: SocketVendor
let alice: Person
beforeAll(async () => {
  vendor = await aSocketVendor()
  world = await aWorld({
    options: { ModelRatio: { 'gpt-4o': 1, 'gpt-realtime': 2, 'gpt-4o-transcribe': 1 } },
    config: { MAX_REQUESTS_PER_USER: '1', DRAIN_S: '60' },
    between: { before: { ledger: ledgerElsewhere, store: storeElsewhere } },
  })
  await world.channel()
  await world.channel({ base_url: vendor.url, models: 'gpt-realtime' })
})
afterAll(() => vendor.stop())
beforeEach(async () => {
  vendor.reset()
  world.upstream.reset()
  alice = await world.user({ quota: GIVEN })
  await alice.key()
})
afterEach(async () => {
  gates.refusing = undefined
  for (const gate of [gates.hold, gates.settle, gates.find]) gate.open()
  await world.gateway.inner.ledger.flush()
  expect(await reconcile(world.gateway.inner.db)).toEqual([])
})

/** Sends a chat request and observes its response as it arrives. */
async function asking(more: object = {}) {
  const got = { status: 0, text: '', isWhole: false }
  const headers = { authorization: `Bearer sk-${await alice.key()}`, 'content-type': 'application/json' }
  const outgoing = request(`${world.url}/v1/chat/completions`, { method: 'POST', headers, agent: false })
  outgoing.on('error', () => {})
  outgoing.on('response', (incoming) => {
    got.status = incoming.statusCode ?? 0
    incoming.setEncoding('utf8').on('data', (text: string) => {
      got.text += text
    })
    incoming
      .on('error', () => {})
      .on('end', () => {
        got.isWhole = true
      })
  })
  outgoing.end(JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...more }))
  return { got, leave: () => outgoing.destroy() }
}
/** Resolves once another call has reached the gate, and code that does not wait for it has had time to run. */
async function waitingAt(gate: ReturnType<typeof aGate>, before: number): Promise<void> {
  await eventually(() => gate.arrived).toBeGreaterThan(before)
  await sleep(50)
}

describe('a ledger that answers later', () => {
  it('is waited for before the upstream request, and before a complete answer begins', async () => {
    world.upstream.answers({ body: chatAnswer('all of it', { prompt: 10, completion: 5 }) })
    gates.hold.close()
    gates.settle.close()
    const [holds, settles] = [gates.hold.arrived, gates.settle.arrived]
    const { got } = await asking()
    await waitingAt(gates.hold, holds)
    expect(world.upstream.requests).toEqual([])
    gates.hold.open()
    await waitingAt(gates.settle, settles)
    expect(got).toEqual({ status: 0, text: '', isWhole: false })
    gates.settle.open()
    await eventually(() => got.isWhole).toBe(true)
    expect(got).toMatchObject({ status: 200, text: expect.stringContaining('all of it') })
    expect(await alice.quota()).toBe(GIVEN - 30)
  })

  it('is waited for before the last part of a stream is sent, no matter what arrives meanwhile', async () => {
    world.upstream.streams(chatStream(['one ', 'two'], { prompt: 10, completion: 5 }), { gapMs: 5 })
    gates.settle.close()
    const before = gates.settle.arrived
    const { got } = await asking({ stream: true })
    await waitingAt(gates.settle, before)
    expect(got).toMatchObject({ status: 200, text: expect.stringContaining('one '), isWhole: false })
    expect(got.text).not.toContain('[DONE]')
    gates.settle.open()
    await eventually(() => got.isWhole).toBe(true)
    expect(got.text).toMatch(/data: \[DONE\]\n\n$/)
    expect(gates.settle.arrived).toBe(before + 1)
  })

  it('charges a stream whose caller leaves while it is waited for', async () => {
    world.upstream.streams(chatStream(['one ', 'two'], { prompt: 10, completion: 5 }))
    gates.settle.close()
    const before = gates.settle.arrived
    const { leave } = await asking({ stream: true })
    await waitingAt(gates.settle, before)
    leave()
    await sleep(20)
    gates.settle.open()
    await eventually(async () => (await alice.asks('gpt-4o', 'again')).status).toBe(200)
    expect(await alice.quota()).toBeLessThan(GIVEN - 30)
  })

  it('fails a whole answer where the charge could not be made durable', async () => {
    gates.refusing = new Error('the nodes are gone')
    const { status, json } = await alice.asks('gpt-4o', 'hi')
    expect([status, json.error.type]).toEqual([500, 'switchyard_error'])
  })

  it('refuses with the same message', async () => {
    const poor = await world.user({ quota: 0 })
    const { status, json } = await poor.asks('gpt-4o', 'hi')
    expect([status, json.error.code]).toEqual([403, 'insufficient_user_quota'])
  })

  it('never gives two requests the same remaining budget', async () => {
    const charges = {
      maxSeconds: 3600,
      newest: () => 0,
      sum: () => 0,
      firstFrom: () => undefined,
      rowOf: () => undefined,
    }
    const uses = createTokenUseRegistry({
      clock: aClock(),
      charges,
      flush: async () => {},
      livingNodes: () => 1,
      counts: noSharedCounts,
      show: String,
    })
    const budgets = { minute: 0, five_hours: 0, day: 1500, week: 0, month: 0 }
    const rates = { requestsPerMinute: 0, tokensPerMinute: 0, timeZone: '', warnPercent: 0 }
    await uses.follow({ id: 7, accountId: alice.id }, { ...rates, budgets })?.prepare()
    const ledger = budgetedLedger(world.gateway.inner.ledger, uses)
    const ask = { userId: alice.id, tokenId: 7, quota: 1000, minQuota: 100 }
    const [one, other] = await Promise.all([
      ledger.hold({ ...ask, requestId: 'one' }),
      ledger.hold({ ...ask, requestId: 'other' }),
    ])
    expect([one.quota, other.quota]).toEqual([1000, 500])
    expect(uses.of(7)?.remaining()).toBe(0)
    await expect(ledger.hold({ ...ask, requestId: 'third' })).rejects.toThrow(GatewayError)
    one.release()
    expect(other.extend(400)).toBe(true)
    expect([other.quota, uses.of(7)?.remaining()]).toEqual([900, 600])
    other.release()
    expect(uses.of(7)?.remaining()).toBe(1500)
    const all = { requestId: 'all', userId: alice.id, tokenId: 0, quota: GIVEN }
    ;(await world.gateway.inner.ledger.hold(all)).release()
  })
})

describe('identities that are found later', () => {
  it('refuse and accept as usual, and look one key up only once', async () => {
    const before = gates.find.arrived
    const key = (await world.token(alice)).key
    gates.find.close()
    const asked = [1, 2, 3].map(() => alice.calls('/v1/chat/completions', 'no json', { key }))
    await waitingAt(gates.find, before)
    expect(gates.find.arrived).toBe(before + 1)
    gates.find.open()
    expect((await Promise.all(asked)).map(({ status }) => status).toSorted()).toEqual([400, 429, 429])
    const { status, json } = await alice.asks('gpt-4o', 'hi', { key: 'nobodys' })
    expect([status, json.error.code]).toEqual([401, 'invalid_api_key'])
    expect((await alice.calls('/v1/models', '', {})).status).toBe(404)
  })

  it('occupy no slot for a request that has left meanwhile', async () => {
    const key = (await world.token(alice)).key
    gates.find.close()
    const before = gates.find.arrived
    const leaving = new AbortController()
    const asked = alice.asks('gpt-4o', 'hi', { key, signal: leaving.signal }).catch(() => 'left')
    await waitingAt(gates.find, before)
    leaving.abort()
    expect(await asked).toBe('left')
    await sleep(20)
    gates.find.open()
    await eventually(async () => (await alice.asks('gpt-4o', 'hi', { key })).status).toBe(200)
  })
})

describe('a realtime session over them', () => {
  const done = {
    type: 'response.done',
    response: { id: 'r', status: 'completed', usage: { total_tokens: 3, input_tokens: 2, output_tokens: 1 } },
  }
  const heard = {
    type: 'conversation.item.input_audio_transcription.completed',
    transcript: 'a word',
    usage: { type: 'tokens', total_tokens: 7, input_tokens: 5, output_tokens: 2 },
  }

  it('begins when quota is reserved, and is over when its charges are durable', async () => {
    gates.hold.close()
    const [holds, settles] = [gates.hold.arrived, gates.settle.arrived]
    const opening = aCaller(world, '/v1/realtime?model=gpt-realtime', alice)
    await waitingAt(gates.hold, holds)
    expect(vendor.sessions).toEqual([])
    gates.hold.open()
    const caller = await opening
    const session = await vendor.opened()
    const update = { type: 'session.updated', session: { input_audio_transcription: { model: 'gpt-4o-transcribe' } } }
    gates.hold.close()
    say(session, update, heard, done)
    await caller.gets('response.done')
    gates.settle.close()
    const restarting = world.restart()
    await caller.closed
    gates.hold.open()
    await waitingAt(gates.settle, settles)
    let isStopped = false
    void restarting.then(() => {
      isStopped = true
    })
    await sleep(50)
    expect(isStopped).toBe(false)
    gates.settle.open()
    world = await restarting
    const rows = await world.gateway.inner.db
      .selectFrom('ledger')
      .select(['amount'])
      .where('user_id', '=', alice.id)
      .where('kind', '=', 'consume')
      .execute()
    expect(rows).toHaveLength(2)
  })
})
