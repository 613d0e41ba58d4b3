import { beforeAll, describe, expect, it } from 'vitest'
import { aDrawingFixture, drawingsIn, type Fixture, gets, IMAGINE } from './drawing-fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await aDrawingFixture({ options: { AutomaticDisableChannelEnabled: true } })
  await fixture.alice.calls('/mj/submit/imagine', { prompt: 'a lighthouse' })
  await fixture.world.gateway.inner.db.updateTable('midjourneys').set({ status: 'SUCCESS', progress: '100%' }).execute()
})

const imagine = (more: object = {}) => fixture.alice.calls('/mj/submit/imagine', { prompt: 'a cat', ...more })

describe('a drawing that the proxy refuses (docs/reference/tasks.md#drawings)', () => {
  it.each([
    ['continues a drawing', () => fixture.alice.calls('/mj/submit/change', { taskId: 'mj-1', action: 'REROLL' })],
    ['names a bot', () => imagine({ botType: 'NIJI_JOURNEY' })],
  ])('does not disable the channel if it %s: the proxy may lack only that account', async (_, order) => {
    fixture.vendor.submits({ body: { code: 3, description: 'there is no such task' } })
    await order()
    fixture.vendor.submits({ body: { code: 1, description: 'Submit success', result: 'mj-9', properties: {} } })
    expect((await imagine()).status).toBe(200)
  })

  it('shows neither the key nor the address of the channel, at once or later', async () => {
    const { world, vendor, alice } = fixture
    const { host } = new URL(world.upstream.url)
    const words = `account the-secret-key at ${world.upstream.url} is banned`
    for (const [code, result] of [
      [24, 'r-24'],
      [1, 'r-1'],
      [21, 'r-21'],
    ] as const) {
      const properties = { promptEn: words, finalPrompt: words }
      vendor.submits({ body: { code, description: words, result, properties } })
      const texts = [(await imagine()).text, (await gets(world, alice, `/mj/task/${result}/fetch`)).text]
      texts.push(JSON.stringify(await alice.get('/api/mj/self')))
      for (const text of texts) expect(text).not.toMatch(new RegExp(`the-secret-key|${host}`))
      expect(texts[1]).toContain('is banned')
    }
    vendor.submits({ body: { code: 1, description: 'ok', result: `${world.upstream.url}/file.png`, properties: {} } })
    await alice.calls('/mj/submit/upload-discord-images', { base64Array: [] })
    expect((await drawingsIn(world)).at(-1)?.mj_id).not.toContain(host)
  })

  it('is stored in few characters, at most a hundred times an hour, since it costs nothing', async () => {
    const { world, vendor } = fixture
    vendor.submits({
      body: { code: 24, description: 'd'.repeat(20_000), result: '', properties: { promptEn: 'p'.repeat(30_000) } },
    })
    const before = (await drawingsIn(world)).length
    for (let order = 0; order < 120; order += 1) expect((await imagine()).json.code).toBe(24)
    const added = (await drawingsIn(world)).slice(before)
    expect(added.length).toBeLessThanOrEqual(100)
    for (const row of added) expect(JSON.stringify(row).length).toBeLessThan(4000)
  })
})

describe('the price of a video (docs/reference/tasks.md#prices)', () => {
  const VIDEO = 8 * IMAGINE
  it('is also that of another one made from it, and of a prompt that makes one', async () => {
    const { world, alice } = await aDrawingFixture()
    const costOf = async (order: () => Promise<unknown>) => {
      const before = await alice.quota()
      await order()
      return before - (await alice.quota())
    }
    const finished = () =>
      world.gateway.inner.db.updateTable('midjourneys').set({ status: 'SUCCESS', progress: '100%' }).execute()
    const order = (path: string, body: object) => async () => {
      expect((await alice.calls(`/mj/submit/${path}`, body)).status).toBe(200)
      await finished()
    }
    expect(await costOf(order('video', { prompt: 'a wave', motion: 'high', image: 'data:image/png;base64,AA' }))).toBe(
      VIDEO,
    )
    const reroll = { taskId: 'mj-1', customId: 'MJ::JOB::reroll::0::abc::SOLO' }
    expect(await costOf(order('action', reroll))).toBe(VIDEO)
    expect(await costOf(order('change', { taskId: 'mj-2', action: 'REROLL' }))).toBe(VIDEO)
    expect(await costOf(order('simple-change', { content: 'mj-3 R' }))).toBe(VIDEO)
    expect(await costOf(order('imagine', { prompt: 'https://a.example/a.png a wave --motion high --video 1' }))).toBe(
      VIDEO,
    )
    expect(await costOf(order('imagine', { prompt: 'a wave' }))).toBe(IMAGINE)
  })
})
