import { expect, it } from 'vitest'
import { aWorld } from '../../../support/world.ts'

it('statements of an account that sends very many do not make others wait (docs/reference/limits.md)', async () => {
  const world = await aWorld()
  await world.channel({ models: 'm' })
  const mallory = await world.user({ quota: 0 })
  const bob = await world.user({ quota: 1_000_000 })
  const key = await mallory.key()
  await bob.key()
  const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'x'.repeat(1000) }] }
  const body = JSON.stringify({ items: Array.from({ length: 20 }, () => item) })
  let made = 0
  const flood = Array.from({ length: 120 }, async () => {
    const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' }
    const reply = await fetch(`${world.url}/v1/conversations`, { method: 'POST', headers, body })
    await reply.text()
    made += 1
    return reply.status
  })
  await expect.poll(() => made).toBeGreaterThan(3)
  const before = made
  expect((await bob.get('/api/user/self')).success).toBe(true)
  expect((await bob.put('/api/user/self', { display_name: 'Bob' })).success).toBe(true)
  expect(made - before).toBeLessThan(60)
  expect(made).toBeLessThan(120)
  expect(new Set(await Promise.all(flood))).toEqual(new Set([200]))
})
