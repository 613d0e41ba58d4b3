import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { aChild } from '../../../process/child.ts'
import { aWorld } from '../../../support/world.ts'
import { balancesOf, lastReceipt } from '../metering/receipts.ts'
import { eventually } from './caller.ts'
import { aSocketVendor, type SocketVendor, say } from './socket-vendor.ts'

const GIVEN = 1_000_000
let vendor: SocketVendor
beforeAll(async () => {
  vendor = await aSocketVendor()
})
afterAll(() => vendor.stop())

describe('a gateway that is killed within a session (docs/reference/reliability.md#faults)', () => {
  it('charges the last checkpoint when it starts again', async () => {
    const config = { SWITCHYARD_MASTER_KEY: randomBytes(32).toString('base64') }
    const world = await aWorld({
      config,
      options: { ModelRatio: { 'gpt-realtime': 1 }, CompletionRatio: { 'gpt-realtime': 1 } },
    })
    await world.channel({ base_url: vendor.url, models: 'gpt-realtime' })
    const alice = await world.user({ quota: GIVEN })
    const headers = { authorization: `Bearer ${await alice.key()}` }
    await world.gateway.stop()
    const response = { usage: { total_tokens: 100, input_tokens: 70, output_tokens: 30 } }
    vendor.behaves((session, frame) =>
      say(session, frame === undefined ? { type: 'session.created' } : { type: 'response.done', response }),
    )
    const child = await aChild({ folder: world.folder, config })
    const socket = new WebSocket(`${child.url.replace('http', 'ws')}/v1/realtime?model=gpt-realtime`, { headers })
    socket.on('open', () => socket.send('{"type":"response.create"}'))
    const gone = new Promise<number>((resolve) => {
      socket.on('close', resolve)
    })
    const progress = () => readFile(join(world.folder, 'progress.journal'), 'utf8')
    await eventually(progress).toContain('"quota":100')
    child.kill('SIGKILL')
    expect(await gone).toBe(1006)
    await child.ended

    const again = await world.restart()
    expect(await lastReceipt(again, alice.id)).toMatchObject({ model_name: 'gpt-realtime', quota: 70 + 30 })
    expect(await balancesOf(again, alice.id, GIVEN)).toMatchObject({ balanced: true })
  })
})
