import { beforeEach, describe, expect, it } from 'vitest'
import { requestId } from '../../../../gateway/base/ids.ts'
import { logStore, modelPattern, removeBefore } from '../../../../gateway/store/log/logs.ts'
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

  it('narrows by each filter and by all together', async () => {
    await write(
      consumed({ content: 'base' }),
      consumed({ content: 'user', user_id: 2, username: 'bob' }),
      consumed({ content: 'type', type: 5 }),
      consumed({ content: 'token', token_name: 'laptop' }),
      consumed({ content: 'model', model_name: 'gpt-4o' }),
      consumed({ content: 'channel', channel_id: 7 }),
      consumed({ content: 'group', group: 'vip' }),
      consumed({ content: 'early', created_at: 10 }),
      consumed({ content: 'late', created_at: 5000 }),
      consumed({
        content: 'all',
        user_id: 2,
        type: 5,
        username: 'bob',
        token_name: 'laptop',
        channel_id: 7,
        created_at: 10,
      }),
    )
    expect(await contents({ userId: 2 })).toEqual(['all', 'user'])
    expect(await contents({ userId: 0 })).toEqual([])
    expect(await contents({ username: 'bob' })).toEqual(['all', 'user'])
    expect(await contents({ type: 5 })).toEqual(['all', 'type'])
    expect(await contents({ token_name: 'laptop' })).toEqual(['all', 'token'])
    expect(await contents({ token_name: 'lap' })).toEqual([])
    expect(await contents({ model_name: 'gpt-4o' })).toEqual(['model'])
    expect(await contents({ channel: 7 })).toEqual(['all', 'channel'])
    expect(await contents({ group: 'vip' })).toEqual(['group'])
    expect(await contents({ end_timestamp: 10 })).toEqual(['all', 'early'])
    expect(await contents({ start_timestamp: 5000 })).toEqual(['late'])
    const every = {
      userId: 2,
      type: 5,
      username: 'bob',
      token_name: 'laptop',
      channel: 7,
      start_timestamp: 1,
      end_timestamp: 99,
    }
    expect(await contents(every)).toEqual(['all'])
    expect(await contents({ type: 0, username: '', channel: 0, group: '', start_timestamp: 0 })).toHaveLength(10)
  })

  it('finds names by a part of them, in any case, with nothing as a wildcard', async () => {
    const names = { username: 'Robert', token_name: 'my_laptop', model_name: 'vendor/GPT-4o', group: 'vip' }
    await write(consumed({ content: 'all', ...names }), consumed({ content: 'other', token_name: 'mylaptop%' }))
    expect(await contents({ username_contains: 'BERT' })).toEqual(['all'])
    expect(await contents({ token_contains: 'y_l' })).toEqual(['all'])
    expect(await contents({ token_contains: 'top%' })).toEqual(['other'])
    expect(await contents({ token_contains: 'laptop' })).toEqual(['other', 'all'])
    expect(await contents({ model_contains: 'gpt', group_contains: 'i' })).toEqual(['all'])
    expect(await contents({ model_contains: 'gpt', token_name: 'laptop' })).toEqual([])
  })

  it('distinguishes streams, several attempts and single requests', async () => {
    const [first, second] = [requestId(1_800_000_000_000), requestId(1_800_000_000_000)]
    await write(
      { ...consumed({ content: 'stream' }), is_stream: 1, retries: 0, request_id: first, created_at: 1_800_000_000 },
      { ...consumed({ content: 'tried' }), is_stream: 0, retries: 2, request_id: second, created_at: 1_800_000_001 },
    )
    expect(await contents({ stream: true })).toEqual(['stream'])
    expect(await contents({ stream: false })).toEqual(['tried'])
    expect(await contents({ retried: true })).toEqual(['tried'])
    expect(await contents({ retried: false })).toEqual(['stream'])
    expect(await contents({ request_id: second })).toEqual(['tried'])
    expect(await contents({ request_id: 'nothing' })).toEqual([])
    expect(await contents({ request_id: second, userId: 2 })).toEqual([])
    expect(await store().count({ request_id: first })).toEqual({ total: 1, isMore: false })
  })

  it('takes the caller’s % in a model filter, in any case, and nothing else as a wildcard', async () => {
    await write(
      ...['gpt-4o', 'GPT-4o-mini', 'o4_mini', 'o4xmini', '100%'].map((name) =>
        consumed({ model_name: name, content: name }),
      ),
    )
    expect(await contents({ model_name: 'gpt-4o%' })).toEqual(['GPT-4o-mini', 'gpt-4o'])
    expect(await contents({ model_name: '%mini' })).toEqual(['o4xmini', 'o4_mini', 'GPT-4o-mini'])
    expect(await contents({ model_name: '%4_m%' })).toEqual(['o4_mini'])
    expect(await contents({ model_name: '%%%' })).toEqual([])
    expect(await contents({ model_name: '100%' })).toEqual(['100%'])
    expect(await contents({ model_name: 'gpt' })).toEqual([])
  })

  it('sums only consumption, for any type of filter, and the sum of nothing is 0', async () => {
    expect(await store().sums({})).toEqual({ quota: 0, token: 0 })
    await write(
      consumed({ quota: 40, prompt_tokens: 3, completion_tokens: 4 }),
      consumed({ quota: 2, prompt_tokens: 1, created_at: 2000 }),
      consumed({ quota: 1000, type: 1 }),
      consumed({ quota: 7, user_id: 2, prompt_tokens: 100 }),
    )
    expect(await store().sums({ userId: 1, type: 1 })).toEqual({ quota: 42, token: 8 })
    expect(await store().sums({ end_timestamp: 1999 })).toEqual({ quota: 47, token: 107 })
  })

  it('rates a separate minute, under the other filters', async () => {
    await write(
      consumed({ created_at: 940, prompt_tokens: 5, completion_tokens: 6 }),
      consumed({ created_at: 939, prompt_tokens: 1000 }),
      consumed({ created_at: 999, type: 5, prompt_tokens: 1000 }),
      consumed({ created_at: 999, user_id: 2, prompt_tokens: 1 }),
    )
    expect(await store().rates({ userId: 1, start_timestamp: 1, end_timestamp: 2 }, 940)).toEqual({ rpm: 1, tpm: 11 })
    expect(await store().rates({ userId: 9 }, 940)).toEqual({ rpm: 0, tpm: 0 })
  })

  it('searches contents and, by a number, types; within one user on request', async () => {
    await write(
      consumed({ content: 'Quota from 3 to 5' }),
      consumed({ type: 3, content: 'managed' }),
      consumed({ type: 3, content: 'of bob', user_id: 2 }),
    )
    const found = async (...ask: [string, number?]) =>
      (await store().search(ask[0], ask[1], 100)).rows.map(({ content }) => content)
    expect(await found('3')).toEqual(['of bob', 'managed', 'Quota from 3 to 5'])
    expect(await found('3', 1)).toEqual(['managed', 'Quota from 3 to 5'])
    expect(await found('QUOTA')).toEqual(['Quota from 3 to 5'])
    expect(await found('%')).toEqual([])
    expect(await store().search('', undefined, 2)).toMatchObject({ rows: [{}, {}], isComplete: true })
  })

  it('deletes the oldest first, a batch at a time, up to but not including the time', async () => {
    await write(...[5, 1, 4, 2, 3].map((created_at) => consumed({ created_at, content: String(created_at) })))
    expect(await removeBefore(db(), 4, { now: 10, limit: 2 })).toBe(2)
    expect(await contents({})).toEqual(['3', '4', '5'])
    expect(await removeBefore(db(), 4, { now: 10, limit: 2 })).toBe(1)
    expect(await removeBefore(db(), 4, { now: 10, limit: 2 })).toBe(0)
    expect(await contents({})).toEqual(['4', '5'])
  })

  it('names channels that are still there', async () => {
    await db().insertInto('channels').values({ key: '', name: 'here', created_time: 0 }).execute()
    const { id } = await db().selectFrom('channels').select('id').executeTakeFirstOrThrow()
    expect(await store().channelNames([id, id + 1])).toEqual(new Map([[id, 'here']]))
    expect(await store().channelNames([])).toEqual(new Map())
  })

  it('answers beyond the last page with an empty one, however far', async () => {
    await write(consumed())
    expect(await store().page({}, { offset: Number.MAX_SAFE_INTEGER, limit: 10 })).toEqual([])
  })

  it('counts no further than 10,000, and reports whether there are more', async () => {
    await writeMany(10_000)
    expect(await store().count({})).toEqual({ total: 10_000, isMore: false })
    await write(consumed())
    expect(await store().count({})).toEqual({ total: 10_000, isMore: true })
    expect(await store().count({ userId: 2 })).toEqual({ total: 0, isMore: false })
  })

  it('begins a page below an id without counting the rows above it', async () => {
    await write(...['1', '2', '3', '4', '5'].map((content) => consumed({ content })))
    const [, second] = await store().page({}, { offset: 0, limit: 2 })
    await write(consumed({ content: 'new' }))
    const next = await store().page({}, { offset: 2, limit: 2, before: second?.id })
    expect(next.map(({ content }) => content)).toEqual(['3', '2'])
  })
})

describe('a model filter', () => {
  it('is a pattern only with one or two % next to at least two other characters', () => {
    expect(modelPattern('gpt-4o')).toBeUndefined()
    expect(modelPattern('%')).toBeUndefined()
    expect(modelPattern('%4%')).toBeUndefined()
    expect(modelPattern('a%b%c%d')).toBeUndefined()
    expect(modelPattern('%4o%')).toBe('%4o%')
    expect(modelPattern('GPT_4\\%')).toBe('gpt\\_4\\\\%')
  })
})
