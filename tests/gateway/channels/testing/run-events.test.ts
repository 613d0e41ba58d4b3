import { beforeAll, beforeEach, expect, it } from 'vitest'
import { chatAnswer } from '../../../support/chat.ts'
import { dataOf } from '../../../support/client.ts'
import { aWorld, type World } from '../../../support/world.ts'
import { runOver, until } from './run-watch.ts'

let world: World
let good: number
let bad: number
beforeAll(async () => {
  world = await aWorld({ options: { AutomaticDisableChannelEnabled: true, ChannelDisableThreshold: 0 } })
  good = await world.channel({ name: 'good' })
  bad = await world.channel({ name: 'bad', key: 'dead' })
})
beforeEach(() => world.upstream.reset())

/** Rows of root's log beyond the first `known`, newest first; waits for at least one. */
async function news(known: number): Promise<string[]> {
  const read = async () => dataOf(await world.admin.get('/api/log/?type=4&page_size=100')).items
  await until(async () => (await read()).length > known)
  return (await read()).slice(0, -known || undefined).map(({ content }: { content: string }) => content)
}
const count = async () => dataOf(await world.admin.get('/api/log/?type=4&page_size=100')).items.length

it('root’s log has the findings and effects of a test of all channels (docs/reference/channels.md#test-of-all)', async () => {
  const known = await count()
  world.upstream.answers(({ headers }) =>
    headers.authorization === 'Bearer dead'
      ? { status: 401, body: { error: { message: 'Incorrect API key provided' } } }
      : { body: chatAnswer('hi') },
  )
  dataOf(await world.admin.get('/api/channel/test'))
  await runOver(world, 'test')
  await until(async () => (await count()) >= known + 2)
  expect(await news(known)).toContain(
    `Channel test: 2 of 2 tested, 1 failed, 1 disabled, 0 re-enabled. Failed: bad (#${bad})`,
  )
})

it('and those of an update of all balances', async () => {
  const known = await count()
  world.upstream.answers({ status: 500, body: {} })
  dataOf(await world.admin.get('/api/channel/update_balance'))
  await runOver(world, 'balance')
  expect(await news(known)).toEqual([
    `Balance update: 1 of 1 channel queried, 1 failed, 0 disabled. Failed: good (#${good})`,
  ])
})

it('a run that was cancelled is logged as well', async () => {
  const known = await count()
  const canceled = Promise.withResolvers<void>()
  world.upstream.answers(async () => {
    await canceled.promise
    return { body: chatAnswer('hi') }
  })
  dataOf(await world.admin.get('/api/channel/test'))
  await until(() => world.upstream.requests.length > 0)
  dataOf(await world.admin.delete('/api/channel/runs/test'))
  canceled.resolve()
  await runOver(world, 'test')
  expect((await news(known)).join('\n')).toContain('The run was canceled.')
})
