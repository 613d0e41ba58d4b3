import { beforeAll, describe, expect, it } from 'vitest'
import { aWorld, type World } from '../../../support/world.ts'
import { aCaller } from './caller.ts'

const MIB = 1024 * 1024
let world: World

beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { 'gpt-5': 1 } } })
})

describe('a turn that is prepared (docs/reference/streams.md#responses-over-websocket)', () => {
  it('is refused with a message where it is too long to be continued', async () => {
    const caller = await aCaller(world, '/v1/responses', await world.user({ quota: 1_000_000 }))
    const prepare = { type: 'response.create', model: 'gpt-5', generate: false, input: 'x'.repeat(9 * MIB) }
    caller.send(prepare)
    const { response } = await caller.gets('response.completed')
    caller.send({ ...prepare, previous_response_id: response.id })
    expect(await caller.gets('error')).toMatchObject({
      status: 400,
      error: { code: 'context_length_exceeded', message: expect.stringContaining('16 MiB') },
    })
    caller.socket.close()
  })
})
