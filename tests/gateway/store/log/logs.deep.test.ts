import { beforeEach, expect, it } from 'vitest'
import { logStore } from '../../../../gateway/store/log/logs.ts'
import type { NewLog } from '../../../../gateway/store/schema/schema.ts'
import { onEachDatabase } from '../../../support/databases.ts'

/** A row with all columns, because the rows of one statement must have the same ones. */
const blank = {
  user_id: 1,
  created_at: 1000,
  type: 2,
  content: '',
  username: '',
  token_name: '',
  model_name: '',
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  channel_id: 0,
  group: '',
}
const consumed = (fields: Partial<NewLog> = {}): NewLog => ({ ...blank, ...fields })

onEachDatabase('the logs table', (db) => {
  const store = () => logStore(db())
  const write = (...rows: NewLog[]) => db().insertInto('logs').values(rows).execute()
  const writeMany = async (count: number, fields: Partial<NewLog> = {}) => {
    const max = 2000
    for (let left = count; left > 0; left -= max)
      await write(...Array.from({ length: Math.min(left, max) }, () => consumed(fields)))
  }
  const contents = async (filter: Parameters<ReturnType<typeof store>['page']>[0]) =>
    (await store().page(filter, { offset: 0, limit: 100 })).map(({ content }) => content)
  beforeEach(() => db().deleteFrom('logs').execute())

  it('finds the same rows in a short time and in a long one', async () => {
    await write(consumed({ content: 'between', user_id: 2, created_at: 1600, model_name: 'gpt', quota: 7 }))
    await writeMany(50_000, { created_at: 2000 })
    await write(consumed({ content: 'other', user_id: 2, created_at: 2000, model_name: 'gpt', quota: 5 }))
    const short = { start_timestamp: 1500, end_timestamp: 1999 }
    const long = { start_timestamp: 1500, end_timestamp: 2000 }
    for (const filter of [{ userId: 2 }, { model_name: 'gpt' }, { model_name: '%gpt' }]) {
      expect(await contents({ ...filter, ...short })).toEqual(['between'])
      expect(await contents({ ...filter, ...long })).toEqual(['other', 'between'])
      expect(await store().count({ ...filter, ...short })).toEqual({ total: 1, isMore: false })
      expect(await store().count({ ...filter, ...long })).toEqual({ total: 2, isMore: false })
      expect(await store().sums({ ...filter, ...short })).toMatchObject({ quota: 7 })
      expect(await store().sums({ ...filter, ...long })).toMatchObject({ quota: 12 })
    }
    expect(await store().rates({}, 1700)).toMatchObject({ rpm: 50_001 })
  })

  it('searches the newest 50,000 rows, and reports whether there are older ones', async () => {
    await write(consumed({ content: 'long ago' }))
    await writeMany(49_999)
    expect(await store().search('long ago', 1, 100)).toMatchObject({
      rows: [{ content: 'long ago' }],
      isComplete: true,
    })
    await write(consumed({ user_id: 2 }))
    expect(await store().search('long ago', undefined, 100)).toEqual({ rows: [], isComplete: false })
    expect(await store().search('long ago', 1, 100)).toMatchObject({
      rows: [{ content: 'long ago' }],
      isComplete: true,
    })
    expect(await store().search('', undefined, 100)).toMatchObject({ isComplete: true })
  })
})
