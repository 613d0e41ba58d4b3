import { beforeAll, expect, it } from 'vitest'
import { geminiAnswer } from '../support/gemini.ts'
import { readingMs, watchTurns } from '../support/turns.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

let world: World
let mallory: Person
beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { gemini: 1 }, RetryTimes: 0 } })
  await world.channel({ type: 24, models: 'gemini' })
  mallory = await world.user({ quota: 1_000_000_000 })
  await mallory.asks('gemini', 'hi')
})

/** An object with many names. */
const wide = (count: number) => `{${Array.from({ length: count }, (_, index) => `"n${index}":1`).join()}}`
const many = (count: number, text: string) => Array(count).fill(text).join()
const property = (schema: string) => `{"type":"object","properties":{"a":${schema}}}`
/**
 * The longest turn of the event loop, as a multiple of the time to parse the body; reading the value again for each of
 * the others would take thousands.
 */
const MAX_READINGS = 100

it.each([
  ['an object', property(`{"allOf":[{"const":${wide(19_000)}},${many(9900, '{"const":{}}')}]}`)],
  ['an unknown keyword', property(`{"allOf":[{"x":${wide(19_000)}},${many(9900, '{"x":{}}')}]}`)],
  [
    'a text beside definitions',
    `{"type":"object","properties":{"t":{"type":"string","$defs":"${'\\u0001'.repeat(60_000)}"},"r":{"type":"array","prefixItems":[${many(9900, '{"$ref":"#/properties/t"}')}]}}}`,
  ],
  [
    'a reference of many steps',
    property(`{"type":"array","prefixItems":[${many(9900, `{"$ref":"#${'/'.repeat(1000)}"}`)}]}`),
  ],
])('a schema with %s that many others are compared with takes no longer than its length', async (_, schema) => {
  world.upstream.answers({ body: geminiAnswer({ texts: ['Hi.'] }) })
  const body = `{"model":"gemini","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"f","parameters":${schema}}}]}`
  const longest = watchTurns()
  const { status } = await mallory.calls('/v1/chat/completions', body)
  const turn = longest()
  expect(status).toBeLessThan(500)
  expect(turn / Math.max(readingMs(body), 1)).toBeLessThan(MAX_READINGS)
})

it('sealed parts are read within bounds', async () => {
  const part = Buffer.from(`[${many(400_000, '1')}]`).toString('base64url')
  const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: `switchyard:gemini:part:${part}` }
  const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } }
  const user = { role: 'user', content: 'hi' }
  const request = (count: number) => ({
    model: 'gemini',
    input: [user, ...Array.from({ length: count }, () => [thought, search]).flat(), user],
  })
  world.upstream.answers({ body: geminiAnswer({ texts: ['Hi.'] }) })
  const longest = watchTurns()
  expect((await mallory.calls('/v1/responses', request(10))).status).toBe(200)
  expect(longest() / Math.max(readingMs(`[${many(400_000, '1')}]`), 1)).toBeLessThan(MAX_READINGS)
  const { status, json } = await mallory.calls('/v1/responses', request(20))
  expect(status).toBe(400)
  expect(json.error.message).toContain('sealed parts')
})
