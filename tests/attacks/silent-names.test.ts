import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { expect, it, onTestFinished, vi } from 'vitest'
import { aNameServer } from '../support/name-server.ts'
import { aWorld } from '../support/world.ts'

/** Makes every resolver use this server, and records the names that are looked up with `getaddrinfo` instead. */
function lookUpAt(server: string): string[] {
  const bySystem: string[] = []
  for (const method of ['resolve4', 'resolve6'] as const) {
    // The overload that all callers use.
    const original = dns.promises.Resolver.prototype[method] as (name: string) => Promise<string[]>
    vi.spyOn(dns.promises.Resolver.prototype, method).mockImplementation(function (
      this: dns.promises.Resolver,
      name: string,
    ) {
      this.setServers([server])
      return original.call(this, name)
    } as never)
  }
  for (const place of [dns, dns.promises]) {
    const original = place.lookup
    vi.spyOn(place, 'lookup').mockImplementation(((name: string, ...rest: []) => {
      bySystem.push(name)
      // Passed on unchanged.
      return (original as (...all: unknown[]) => unknown)(name, ...rest)
    }) as never)
  }
  syncBuiltinESMExports()
  onTestFinished(() => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  })
  return bySystem
}

it('host names in requests are resolved only by name servers, and a silent one delays no channel’s name', async () => {
  const server = await aNameServer(() => undefined)
  const bySystem = lookUpAt(server.address)
  const world = await aWorld()
  await world.channel({ type: 24, models: 'gemini-2.5-flash' })
  await world.channel({ models: 'gpt-4o', base_url: world.upstream.url.replace('127.0.0.1', 'localhost') })
  const [mallory, alice] = [await world.user({ quota: 50_000 }), await world.user({ quota: 5_000_000 })]
  const names = Array.from({ length: 8 }, (_, at) => `h${at}.tarpit.example`)
  const attack = mallory.calls('/v1/chat/completions', {
    model: 'gemini-2.5-flash',
    messages: names.map((name) => ({
      role: 'user',
      content: [{ type: 'image_url', image_url: { url: `http://${name}/x.png` } }],
    })),
  })
  await expect.poll(() => new Set(server.asked).size).toBe(names.length)
  expect((await alice.asks('gpt-4o', 'Hi')).status).toBe(200)
  expect(bySystem).toContain('localhost')
  expect(bySystem.filter((name) => name.endsWith('.example'))).toEqual([])
  server.answerAll()
  expect((await attack).status).toBe(400)
})
