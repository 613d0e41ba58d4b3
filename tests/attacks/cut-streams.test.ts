import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lastReceipt } from '../gateway/relay/metering/receipts.ts'
import { chatStream } from '../support/chat.ts'
import { reconcile } from '../support/reconcile.ts'
import { namedEvent } from '../support/said.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

const CLAUDE = 'claude-sonnet-4-5'
const PROMPT = 150_000
const SEARCHES = 10
const OUTPUT = 2600
const WORD = 'xyzzyword'
const LAST = 'the last sentence of the answer. '

let world: World
let mallory: Person
beforeAll(async () => {
  world = await aWorld({ options: { RetryTimes: 0, SensitiveWords: WORD } })
  await world.channel({ models: CLAUDE, type: 14 })
  await world.channel({ models: 'gpt-5' })
})
beforeEach(async () => {
  world.upstream.reset()
  mallory = await world.user({ quota: 1_000_000_000 })
})

/** A response after ten searches, whose figures come with its last event (Anthropic, "Streaming messages"). */
function searched(filler: readonly string[]): Buffer[] {
  const event = (type: string, more: object) => namedEvent(type, { type, ...more })
  const usage = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
  const start = { id: 'msg_1', type: 'message', role: 'assistant', model: CLAUDE, content: [], stop_reason: null }
  const delta = (text: string) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })
  return [
    event('message_start', { message: { ...start, usage: { ...usage, input_tokens: 2000, output_tokens: 1 } } }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ...Array.from({ length: 20 }, () => delta('a sentence of the answer that she wants. ')),
    ...[LAST, ...filler].map(delta),
    event('content_block_stop', { index: 0 }),
    event('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: {
        ...usage,
        input_tokens: PROMPT,
        output_tokens: OUTPUT,
        server_tool_use: { web_search_requests: SEARCHES },
      },
    }),
    event('message_stop', {}),
  ]
}
const filler = Array.from({ length: 200 }, () => 'and on and on it goes without an end. ')
const search = {
  model: CLAUDE,
  max_tokens: 4000,
  stream: true,
  tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: SEARCHES }],
  messages: [{ role: 'user', content: 'search, answer, then write filler' }],
}
const whole = async () => {
  world.upstream.streams(searched(filler))
  const before = await mallory.quota()
  expect((await mallory.calls('/v1/messages', search)).text).toContain(LAST)
  return before - (await mallory.quota())
}

describe('a stream that the gateway ends before its figures (docs/reference/billing.md#cut-streams)', () => {
  it.each([
    ['a limit of the key', { unlimited_quota: false, remain_quota: 12_000 }],
    ['a budget of a minute', { budgets: { minute: 12_000 } }],
    ['a budget of a day', { budgets: { day: 12_000 } }],
  ])('costs as much as one that is not ended: %s', async (_, fields) => {
    const price = await whole()
    const { key } = await world.token(mallory, fields)
    const before = await mallory.quota()
    const { text } = await mallory.calls('/v1/messages', search, { key })
    expect(text).not.toContain('message_stop')
    expect(before - (await mallory.quota())).toBe(price)
    const receipt = await lastReceipt(world, mallory.id)
    expect(receipt).toMatchObject({ prompt_tokens: PROMPT, completion_tokens: OUTPUT })
    expect(receipt.other).toMatchObject({ ended: 'quota', web_search_call_count: SEARCHES, usage_source: 'upstream' })
    expect(await reconcile(world.gateway.inner.db)).toEqual([])
  })

  it('is read on for the reasoning of a model that its account can pay for, not beyond its balance', async () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 30_300,
      total_tokens: 30_400,
      completion_tokens_details: { reasoning_tokens: 30_000 },
    }
    const events = chatStream(filler, null)
    const all = [...events.slice(0, -1), { choices: [], usage }, '[DONE]']
    world.upstream.streams(all)
    const { key } = await world.token(mallory, { unlimited_quota: false, remain_quota: 2000 })
    await mallory.asks('gpt-5', 'think', { key, stream: true })
    expect(await lastReceipt(world, mallory.id)).toMatchObject({
      completion_tokens: 30_300,
      other: { ended: 'quota', usage_source: 'upstream' },
    })
    world.upstream.reset()
    world.upstream.streams(all)
    const poor = await world.user({ quota: 2000 })
    await poor.asks('gpt-5', 'think', { stream: true })
    expect(await lastReceipt(world, poor.id)).toMatchObject({ other: { ended: 'quota', usage_source: 'estimated' } })
    expect(await poor.quota()).toBeGreaterThanOrEqual(0)
  })

  it('costs as much if the caller leaves once its limit is used up', async () => {
    const price = await whole()
    const { key } = await world.token(mallory, { unlimited_quota: false, remain_quota: 12_000 })
    const before = await mallory.quota()
    world.upstream.reset()
    world.upstream.streams(searched(filler), { gapMs: 1 })
    const leaving = new AbortController()
    const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' }
    const { signal } = leaving
    const answer = await fetch(`${world.url}/v1/messages`, {
      method: 'POST',
      headers,
      body: JSON.stringify(search),
      signal,
    })
    await answer.body?.getReader().read()
    leaving.abort()
    await expect.poll(async () => before - (await mallory.quota())).toBe(price)
  })

  it('costs as much if it ends with a blocked word', async () => {
    const price = await whole()
    world.upstream.reset()
    world.upstream.streams(searched([`${WORD} `, ...filler]))
    const before = await mallory.quota()
    const { text } = await mallory.calls('/v1/messages', search)
    expect(text).toContain(LAST)
    expect(text).not.toContain(WORD)
    expect(text).toContain('message_stop')
    expect(before - (await mallory.quota())).toBe(price)
    expect((await lastReceipt(world, mallory.id)).other.ended).toBe('filtered')
  })

  it.each([true, false])('costs its hidden reasoning if it ends with a blocked word, streamed: %s', async (stream) => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 30_300,
      total_tokens: 30_400,
      completion_tokens_details: { reasoning_tokens: 30_000 },
    }
    const text = `the answer. ${WORD}`
    if (stream) {
      const events = chatStream([text, ' and more'], null)
      world.upstream.streams([...events.slice(0, -1), { choices: [], usage }, '[DONE]'])
    } else
      world.upstream.answers({
        body: {
          id: 'c',
          object: 'chat.completion',
          created: 1,
          model: 'gpt-5',
          choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }],
          usage,
        },
      })
    const answer = await mallory.asks('gpt-5', 'think', { body: { stream } })
    expect(answer.text).not.toContain(WORD)
    expect(await lastReceipt(world, mallory.id)).toMatchObject({
      completion_tokens: 30_300,
      other: { ended: 'filtered', reasoning_tokens: 30_000 },
    })
  })

  it('costs its figures if the caller holds it open beyond the time limit', async () => {
    const price = await whole()
    world.upstream.reset()
    const long = Array.from({ length: 50_000 }, () => 'filler that is never read at all. '.repeat(6))
    world.upstream.streams(searched(long))
    const before = await mallory.quota()
    const headers = { authorization: `Bearer sk-${await mallory.key()}`, 'content-type': 'application/json' }
    const answer = await fetch(`${world.url}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(search) })
    const reader = answer.body?.getReader()
    // It reads a little every minute, so that neither side is silent.
    for (let minute = 0; minute < 32; minute += 1) {
      await reader?.read()
      await sleep(20)
      world.clock.advance(60_000)
    }
    await expect.poll(async () => before - (await mallory.quota())).toBe(price)
    await reader?.cancel().catch(() => {})
  })
})
