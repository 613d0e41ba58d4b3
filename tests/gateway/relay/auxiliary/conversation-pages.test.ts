import { beforeAll, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  await world.channel({ models: 'gpt-4o' })
  alice = await world.user({ quota: 1_000_000_000 })
})

const MIB = 1024 * 1024
const item = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
async function ask(method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer sk-${await alice.key()}`, 'content-type': 'application/json' }
  const answer = await fetch(world.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await answer.text()
  return { status: answer.status, text, json: JSON.parse(text) }
}

describe('conversations of long items (docs/reference/endpoints.md#conversations)', () => {
  it('are listed in pages of 4 MiB, one after the other', async () => {
    const texts = Array.from({ length: 7 }, (_, index) => `${index} ${'word '.repeat(MIB / 5)}`)
    const { json: made } = await ask('POST', '/v1/conversations', { items: texts.map(item) })
    const seen: string[] = []
    let pages = 0
    for (let after = ''; ; pages += 1) {
      const path = `/v1/conversations/${made.id}/items?order=asc&limit=100${after && `&after=${after}`}`
      const { json: page, text } = await ask('GET', path)
      expect(text.length).toBeLessThan(5 * MIB)
      expect([page.first_id, page.last_id]).toEqual([page.data[0].id, page.data.at(-1).id])
      for (const { content } of page.data) seen.push(content[0].text)
      after = page.last_id
      if (!page.has_more) break
    }
    expect(seen).toEqual(texts)
    expect(pages).toBeGreaterThan(1)
  })

  it('accept no request above 8 MiB', async () => {
    const told = await ask('POST', '/v1/conversations', { items: [item('x'.repeat(8 * MIB))] })
    expect([told.status, told.text]).toEqual([413, expect.stringContaining('8 MiB')])
  })

  it('are not counted for a caller who could not pay for the turn', async () => {
    const { json: made } = await ask('POST', '/v1/conversations', { items: [item('hi')] })
    const turn = { model: 'gpt-4o', conversation: made.id, input: 'hi' }
    expect((await ask('POST', '/v1/responses/input_tokens', turn)).json.input_tokens).toBeGreaterThan(1)
    await world.admin.put('/api/user/', { ...(await world.admin.get(`/api/user/${alice.id}`)).data, quota: 0 })
    const refused = await ask('POST', '/v1/responses/input_tokens', turn)
    expect([refused.status, refused.json.error.code]).toEqual([403, 'insufficient_user_quota'])
  })
})
