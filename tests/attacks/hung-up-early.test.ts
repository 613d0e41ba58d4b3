import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { ownState } from '../../gateway/shared-state/shared-state.ts'
import { chatAnswer } from '../support/chat.ts'
import { aClock } from '../support/clock.ts'
import { aWorld } from '../support/world.ts'

const MAX = 4

it('a caller that hangs up while its rate is counted elsewhere takes no slot (docs/reference/limits.md#concurrent-requests)', async () => {
  const clock = aClock()
  const state = ownState(clock)
  let counted: Promise<unknown> = Promise.resolve()
  let waiting = 0
  const rates: typeof state.rates = {
    window(terms) {
      const own = state.rates.window(terms)
      const take = async (key: string) => {
        waiting += 1
        await counted
        return own.take(key)
      }
      return { ...own, take }
    },
  }
  const config = { MAX_REQUESTS: String(MAX), GLOBAL_API_RATE_LIMIT: '180' }
  const world = await aWorld({ clock, config, between: { shared: { ...state, rates } } })
  await world.channel({ models: 'gpt-4o' })
  world.upstream.answers({ body: chatAnswer('ok') })
  const alice = await world.user({ quota: 1_000_000_000 })
  await alice.key()
  const { promise, resolve } = Promise.withResolvers<void>()
  counted = promise
  waiting = 0
  const { hostname, port, host } = new URL(world.url)
  const request = `GET /dashboard/billing/subscription HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const sockets = Array.from({ length: MAX }, () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {}).once('connect', () => socket.write(request))
    return socket
  })
  await expect.poll(() => waiting).toBe(MAX)
  for (const socket of sockets) socket.resetAndDestroy()
  // Handled after the resets, which were received earlier.
  expect((await fetch(`${world.url}/healthz`)).status).toBe(200)
  resolve()
  expect((await alice.asks('gpt-4o', 'hi')).status).toBe(200)
})
