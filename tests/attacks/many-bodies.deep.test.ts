import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { aChild } from '../process/child.ts'
import { callRelay } from '../support/relay-client.ts'
import { aWorld } from '../support/world.ts'

const BODIES = 100
/** Nearly the most values that a body below one mebibyte can have. */
const LISTS = `[${Array.from({ length: 6400 }, () => `${'['.repeat(60)}${']'.repeat(60)}`).join(',')}]`
const BODY = `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}],"x":${LISTS}}`
/**
 * The longest wait of another account as a multiple of the time to parse one of the bodies; handling all of them at
 * once would take 500.
 */
const MAX_READINGS = 100

it('many bodies of one account at once delay another by a few of them (docs/reference/security.md#input)', async () => {
  const config = { SWITCHYARD_MASTER_KEY: randomBytes(32).toString('base64') }
  const world = await aWorld({ options: { ModelRatio: { m: 1 }, RetryTimes: 0 }, config })
  await world.channel({ models: 'm' })
  const mallory = await (await world.user({ quota: 1 })).key()
  const alice = await (await world.user({ quota: 1 })).key()
  await world.gateway.stop()
  const { url } = await aChild({ folder: world.folder, config })
  const before = readingMs()

  let isOver = false
  const attack = Promise.all(
    Array.from({ length: BODIES }, () => callRelay(`${url}/v1/chat/completions`, BODY, { key: mallory })),
  ).finally(() => {
    isOver = true
  })
  let longest = 0
  while (!isOver) {
    const from = performance.now()
    const response = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer sk-${alice}` } })
    await response.text()
    expect(response.status).toBe(200)
    longest = Math.max(longest, performance.now() - from)
  }
  for (const { status } of await attack) expect([403, 503]).toContain(status)
  // Other programs may slow the machine down meanwhile.
  expect(longest / Math.max(before, readingMs())).toBeLessThan(MAX_READINGS)
}, 120_000)

function readingMs(): number {
  const began = performance.now()
  JSON.parse(BODY)
  return performance.now() - began
}
