import { describe, expect, it } from 'vitest'
import { logType } from '../../../../shared/enums.ts'
import { dataOf } from '../../../support/client.ts'
import { aWorld } from '../../../support/world.ts'

describe('a request that failed (docs/reference/logs.md#failures)', () => {
  it('leaves one row of type 5 that costs nothing, also when no channel or price was found', async () => {
    const world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 } } })
    await world.channel({ models: 'gpt-4o,unpriced' })
    const alice = await world.user({ quota: 1_000_000 })
    world.upstream.answers({ status: 400, body: { error: { message: 'no', type: 'invalid_request_error' } } })

    await alice.asks('gpt-4o', 'hi')
    await alice.asks('unpriced', 'hi')
    await alice.asks('nobody-has-it', 'hi')

    const { items } = dataOf(await world.admin.get(`/api/log?type=${logType.error}`))
    expect(items.map((row: { model_name: string; quota: number }) => [row.model_name, row.quota])).toEqual([
      ['nobody-has-it', 0],
      ['unpriced', 0],
      ['gpt-4o', 0],
    ])
    expect(await alice.quota()).toBe(1_000_000)
  })

  it('leaves none where the option turns them off', async () => {
    const world = await aWorld({ options: { ErrorLogEnabled: false } })
    const alice = await world.user({ quota: 1_000_000 })
    await alice.asks('nobody-has-it', 'hi')
    expect(dataOf(await world.admin.get(`/api/log?type=${logType.error}`)).items).toEqual([])
  })
})
