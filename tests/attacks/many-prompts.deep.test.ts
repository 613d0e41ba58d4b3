import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { chatStream } from '../support/chat.ts'
import { cpuMs, watchTurns } from '../support/turns.ts'
import { aWorld } from '../support/world.ts'

const STREAMS = 100
const BODY = JSON.stringify({
  model: 'm',
  max_tokens: 100,
  stream: true,
  messages: Array.from({ length: 10_000 }, () => ({ role: 'user', content: 'hello' })),
})
/**
 * The longest turn of the event loop as a multiple of the CPU time to parse one of the bodies; all at once take 200. It
 * includes the test's own clients, which all leave in one turn.
 */
const MAX_PARSES = 80

it('callers that leave many streams with long prompts delay others by a few of them (docs/reference/security.md#input)', async () => {
  const world = await aWorld({ options: { ModelRatio: { m: 1 }, RetryTimes: 0 } })
  await world.channel({ models: 'm' })
  const mallory = await world.user({ quota: 1_000_000_000 })
  const key = await mallory.key()
  world.upstream.streams(chatStream(['hello']).slice(0, 1), { hang: true })
  const began = cpuMs()
  for (let round = 0; round < 10; round++) JSON.parse(BODY)
  const parse = (cpuMs() - began) / 10

  const leaving = new AbortController()
  const stream = async () => {
    const response = await fetch(`${world.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: BODY,
      signal: leaving.signal,
    })
    expect(response.status).toBe(200)
    await response.body?.getReader().read()
  }
  await Promise.all(Array.from({ length: STREAMS }, stream))
  const before = await mallory.quota()
  const longest = watchTurns()
  leaving.abort()
  await sleep(100)
  // All have been charged for their prompts.
  await expect.poll(async () => before - (await mallory.quota()), { timeout: 30_000 }).toBeGreaterThan(STREAMS * 10_000)
  expect(longest() / parse).toBeLessThan(MAX_PARSES)
}, 120_000)
