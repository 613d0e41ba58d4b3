import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { aChild } from '../process/child.ts'
import { chatStream } from '../support/chat.ts'
import { aWorld } from '../support/world.ts'

const STREAMS = 100
const BODY = JSON.stringify({
  model: 'm',
  max_tokens: 100,
  stream: true,
  messages: Array.from({ length: 10_000 }, () => ({ role: 'user', content: 'hello' })),
})
/** The longest wait of another account as a multiple of the time to parse one of the bodies; all at once take 200. */
const MAX_READINGS = 80

it('callers that leave many streams with long prompts delay another by a few of them (docs/reference/security.md#input)', async () => {
  const config = { SWITCHYARD_MASTER_KEY: randomBytes(32).toString('base64') }
  const world = await aWorld({ options: { ModelRatio: { m: 1 }, RetryTimes: 0 }, config })
  await world.channel({ models: 'm' })
  const mallory = await (await world.user({ quota: 1_000_000_000 })).key()
  const alice = await (await world.user({ quota: 1 })).key()
  await world.gateway.stop()
  const { url } = await aChild({ folder: world.folder, config })
  world.upstream.streams(chatStream(['hello']).slice(0, 1), { hang: true })
  const began = performance.now()
  for (let round = 0; round < 10; round++) JSON.parse(BODY)
  const reading = (performance.now() - began) / 10

  const leaving = new AbortController()
  const stream = async () => {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${mallory}`, 'content-type': 'application/json' },
      body: BODY,
      signal: leaving.signal,
    })
    expect(response.status).toBe(200)
    await response.body?.getReader().read()
  }
  await Promise.all(Array.from({ length: STREAMS }, stream))
  leaving.abort()
  let longest = 0
  for (let request = 0; request < 50; request++) {
    const from = performance.now()
    const response = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer sk-${alice}` } })
    await response.text()
    longest = Math.max(longest, performance.now() - from)
  }
  expect(longest / reading).toBeLessThan(MAX_READINGS)
}, 120_000)
