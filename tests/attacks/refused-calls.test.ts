import { expect, it } from 'vitest'
import type { Logger } from '../../gateway/base/log/logger.ts'
import { MAX_SIMILAR } from '../../gateway/relay/metering/failure-log.ts'
import { logType } from '../../shared/enums.ts'
import { aWorld, type World } from '../support/world.ts'

const CALLS = 50

const rowsIn = ({ gateway }: World) =>
  gateway.inner.db.selectFrom('logs').selectAll().where('type', '=', logType.error).orderBy('id').execute()

it.each([
  ['asks for what nobody sells', 'nobody-has-it', 503],
  ['is out of quota', 'gpt-4o', 403],
  ['is refused upstream', 'broken', 400],
])('a key that %s cannot fill the disk with rows', async (_, model, status) => {
  const lines: string[] = []
  const told = (message: string) => void lines.push(message)
  const log: Logger = { debug: told, info: told, warn: told, error: told }
  const world = await aWorld({ log, options: { ModelRatio: { 'gpt-4o': 1, broken: 0 } } })
  await world.channel({ models: 'gpt-4o,broken' })
  world.upstream.answers({ status: 400, body: { error: { message: 'no', type: 'invalid_request_error' } } })
  const alice = await world.user({ quota: 0 })
  for (let turn = 0; turn < CALLS; turn += 10) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => alice.asks(model, 'hi')))
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => status))
  }
  await world.gateway.inner.ledger.flush()
  expect(await rowsIn(world)).toHaveLength(MAX_SIMILAR)
  const again = await world.restart()
  const rows = await rowsIn(again)
  expect(rows).toHaveLength(MAX_SIMILAR + 1)
  expect(JSON.parse(rows.at(-1)?.other ?? '')).toMatchObject({
    request_id: expect.any(String),
    folded: { count: CALLS - MAX_SIMILAR, first: expect.any(Number), last: expect.any(Number) },
  })
  expect(lines.filter((line) => line === 'upstream refused').length).toBeLessThanOrEqual(MAX_SIMILAR)
})

it('nor with long rows: both names of models and errors of vendors are limited in length', async () => {
  const world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 } } })
  await world.channel()
  const alice = await world.user({ quota: 1_000_000 })
  const long = await alice.asks('m'.repeat(1_000_000), 'hi')
  expect([long.status, long.json.error.message]).toEqual([
    400,
    expect.stringContaining('"model" is longer than 255 characters'),
  ])
  world.upstream.answers({
    status: 400,
    body: { error: { message: 'no '.repeat(15_000), type: 'invalid_request_error' } },
  })
  await alice.asks('gpt-4o', 'hi')
  await world.gateway.inner.ledger.flush()
  const rows = await rowsIn(world)
  for (const row of rows) expect(JSON.stringify(row).length).toBeLessThan(10_000)
  expect(rows.map(({ model_name: name }) => name)).toContain('gpt-4o')
})
