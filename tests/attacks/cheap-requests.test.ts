import { afterEach, describe, expect, it, vi } from 'vitest'
import { chatAnswer } from '../support/chat.ts'
import { aWorld } from '../support/world.ts'

/** Cheap requests cause no expensive work (docs/reference/security.md#input). */
afterEach(() => vi.restoreAllMocks())

describe('a stored response', () => {
  const stored = async (item: object) => {
    const world = await aWorld({ options: { ModelRatio: { 'deepseek-chat': 1 } } })
    await world.channel({ type: 43, models: 'deepseek-chat' })
    const eve = await world.user({ quota: 1_000_000 })
    world.upstream.answers({ body: chatAnswer('hello') })
    const input = [{ role: 'user', content: 'hi', ...item }]
    const { json } = await eve.calls('/v1/responses', { model: 'deepseek-chat', input })
    const get = async (path: string) => {
      const reply = await fetch(`${world.url}/v1/responses/${json.id}${path}`, {
        headers: { authorization: `Bearer sk-${await eve.key()}` },
      })
      return { status: reply.status, body: await reply.json() }
    }
    return { json, get }
  }

  it('is returned without parsing the input stored with it', async () => {
    const { json, get } = await stored({ x: 'a'.repeat(200_000) })
    const lengths: number[] = []
    const parse = JSON.parse
    vi.spyOn(JSON, 'parse').mockImplementation((text, ...more) => {
      lengths.push(text.length)
      return parse(text, ...more)
    })
    expect(await get('')).toEqual({ status: 200, body: json })
    expect(Math.max(...lengths)).toBeLessThan(200_000)
  })

  it('has no stored input if that has too many values', async () => {
    const { get } = await stored({ x: Array.from({ length: 70_000 }, () => []) })
    expect((await get('')).status).toBe(200)
    expect((await get('/input_items')).status).toBe(404)
  })
})

it('of a list of languages only the beginning is read', async () => {
  const world = await aWorld()
  const isEnglish = async (languages: string) => {
    const reply = await fetch(`${world.url}/v1/models`, { headers: { 'accept-language': languages } })
    return (await reply.json()).error.message.startsWith('No API token')
  }
  expect(await isEnglish('zh')).toBe(false)
  expect(await isEnglish(`en;q=0.5,${'x;q=0.1,'.repeat(10)}zh`)).toBe(false)
  expect(await isEnglish(`en;q=0.5,${'x;q=0.1,'.repeat(40)}zh`)).toBe(true)
})
