import { beforeAll, describe, expect, it } from 'vitest'
import { aDrawingFixture, drawingsIn, type Fixture } from './drawing-fixture.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await aDrawingFixture()
  const { world, alice } = fixture
  await alice.calls('/mj/submit/imagine', { prompt: 'a lighthouse' })
  await world.gateway.inner.db.updateTable('midjourneys').set({ status: 'SUCCESS', progress: '100%' }).execute()
})

const upscale = () => fixture.alice.calls('/mj/submit/change', { taskId: 'mj-1', action: 'UPSCALE', index: 1 })
const rowsOf = async (id: string) => (await drawingsIn(fixture.world)).filter(({ mj_id }) => mj_id === id)

describe('a drawing that the vendor already has (docs/reference/tasks.md#drawings)', () => {
  it('has one row, however often it is ordered again without a charge', async () => {
    const properties = { status: 'SUCCESS', imageUrl: 'https://cdn.example/2.png' }
    fixture.vendor.submits({ body: { code: 21, description: 'exists', result: 'mj-2', properties } })
    const before = await fixture.alice.quota()
    for (let order = 0; order < 3; order += 1) expect((await upscale()).json).toMatchObject({ code: 1, result: 'mj-2' })
    expect(await rowsOf('mj-2')).toHaveLength(1)
    expect(await fixture.alice.quota()).toBe(before)
  })

  it('is listed once, the newest row, where several have its id', async () => {
    const { db } = fixture.world.gateway.inner
    const [row] = await rowsOf('mj-2')
    if (!row) throw new Error('no row')
    const { id: _, ...copy } = row
    await db
      .insertInto('midjourneys')
      .values(Array.from({ length: 20 }, (_, n) => ({ ...copy, prompt: `copy ${n}` })))
      .execute()
    const { json } = await fixture.alice.calls('/mj/task/list-by-condition', { ids: ['mj-1', 'mj-2'] })
    expect(json.map(({ id }: { id: string }) => id)).toEqual(['mj-2', 'mj-1'])
    expect(json[0].prompt).toBe('copy 19')
  })
})

describe('a prompt for which Midjourney draws several times (docs/reference/tasks.md#drawings)', () => {
  it.each([
    'a cat --repeat 40',
    'a cat --r 3 --ar 3:2',
    'a cat \u2014repeat 2',
    'a {red, green} cat',
    'a { {x}, blue} cat',
    'a cat --R10',
    'a cat --repeat=4',
  ])('is refused: %s', async (prompt) => {
    const { status, json } = await fixture.alice.calls('/mj/submit/imagine', { prompt })
    expect([status, json.description]).toEqual([400, expect.stringContaining('several pictures')])
  })

  it.each(['a cat --raw --ar 3:2', 'a \\{red, green} cat', 'a {red} cat, asleep'])('is sent: %s', async (prompt) => {
    expect((await fixture.alice.calls('/mj/submit/imagine', { prompt })).status).toBe(200)
    expect(fixture.world.upstream.last().json.prompt).toBe(prompt)
  })
})
