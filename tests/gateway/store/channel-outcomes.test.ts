import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addAuditRows } from '../../../gateway/store/audit-rows.ts'
import { channelOutcomeStore } from '../../../gateway/store/channel-outcomes.ts'
import { databases, type Opened, openEmpty } from '../channels/workshop.ts'

const START = 1_000_000
const HOUR = 3600
const row = (hour: number, more: object) => ({
  user_id: 1,
  // Within the hour, so that hours have to be cut.
  created_at: START + hour * HOUR + 754,
  type: 2,
  channel_id: 1,
  other: '',
  token_name: '',
  ...more,
})
const tried = (...attempts: object[]) => JSON.stringify({ admin_info: { tried: attempts } })
const outcome = (channel_id: number, hour: number, n: number) => ({ channel_id, hour, n })

for (const kind of databases)
  describe(`what the log tells of channels, on ${kind}`, () => {
    let opened: Opened
    beforeAll(async () => {
      opened = await openEmpty(kind)
      await addAuditRows(opened.db, [
        row(-1, {}),
        row(0, {}),
        row(0, { token_name: 'model test' }),
        row(2, { channel_id: 2, other: tried({ channel: 1, status: 500 }, { channel: 2 }) }),
        row(2, { type: 5, other: tried({ channel: 1, reason: 'gone' }, { channel: 3, status: 429 }) }),
        row(3, {
          type: 5,
          other: JSON.stringify({ folded: { count: 5 }, admin_info: { tried: [{ channel: 1, status: 503 }] } }),
        }),
        row(3, { type: 5, other: tried({ channel: 1, status: 400 }) }),
        row(3, { type: 3, other: '"tried": not json' }),
      ])
    })
    afterAll(() => opened.close())

    it('counts served requests and failed attempts by channel and hour, folded rows as often as they stand for', async () => {
      const { since, served, failed } = await channelOutcomeStore(opened.db).read(START, 'model test')
      expect(since).toBe(START)
      expect(served).toEqual(expect.arrayContaining([outcome(1, 0, 1), outcome(2, 2, 1)]))
      expect(served).toHaveLength(2)
      expect(failed).toEqual(expect.arrayContaining([outcome(1, 2, 2), outcome(3, 2, 1), outcome(1, 3, 5)]))
      expect(failed).toHaveLength(3)
    })

    it('looks at the newest rows alone, and says since when', async () => {
      const { since, served } = await channelOutcomeStore(opened.db).read(START, 'model test', 4)
      expect(since).toBe(START + 2 * HOUR + 755)
      expect(served).toEqual([])
    })
  })
