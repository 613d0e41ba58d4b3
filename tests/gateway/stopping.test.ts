import { expect, it } from 'vitest'
import { chatStream } from '../support/chat.ts'
import { aWorld, type Gateway } from '../support/world.ts'

const WORDS = Array.from({ length: 20 }, (_, index) => `word${index} `)

/** Stops as the desktop does when its system shuts down. A drain of ten minutes would outlast the test. */
it.each<[string, (gateway: Gateway) => Promise<unknown>]>([
  ['that ends at once', (gateway) => gateway.stopNow()],
  ['that was letting streams end', (gateway) => Promise.all([gateway.stop(), gateway.stopNow()])],
])(
  'a gateway %s cuts its streams short and charges once what they delivered (docs/reference/security.md#desktop)',
  async (_, stop) => {
    const options = { ModelRatio: { m: 1 }, CompletionRatio: { m: 1 } }
    const world = await aWorld({ options, config: { DRAIN_S: '600' } })
    await world.channel({ models: 'm' })
    const alice = await world.user({ quota: 1_000_000 })
    world.upstream.streams(chatStream(WORDS, null).slice(0, WORDS.length), { hang: true })
    const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }] })
    const headers = { authorization: `Bearer ${await alice.key()}`, 'content-type': 'application/json' }
    const answer = await fetch(`${world.url}/v1/chat/completions`, { method: 'POST', headers, body })
    let text = ''
    let stopped: Promise<unknown> | undefined
    for await (const part of answer.body ?? []) {
      text += new TextDecoder().decode(part)
      if (text.includes('word19')) stopped ??= stop(world.gateway)
    }
    await stopped
    expect(text).toMatch(/data: \{"error":\{.*\}\}\n\n$/)
    // Charges that are in the journal are not made twice.
    const { db } = (await world.restart()).gateway.inner
    const charges = await db.selectFrom('ledger').select('amount').where('kind', '=', 'consume').execute()
    const rows = await db.selectFrom('logs').selectAll().where('type', '=', 2).execute()
    expect([charges.length, rows.length]).toEqual([1, 1])
    const { prompt_tokens = 0, completion_tokens = 0, quota } = rows[0] ?? {}
    expect([-(charges[0]?.amount ?? 0), quota]).toEqual(Array(2).fill(prompt_tokens + completion_tokens))
    // Each word is two or three tokens long.
    expect(completion_tokens).toBeGreaterThanOrEqual(2 * WORDS.length)
    expect(completion_tokens).toBeLessThanOrEqual(3 * WORDS.length)
  },
)
