import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../../gateway/base/log/logger.ts'
import { removeOld } from '../../../gateway/billing/retention.ts'
import { createUpkeep, lastNight, NIGHT_HOUR } from '../../../gateway/billing/upkeep.ts'
import type { OptionKey } from '../../../shared/options/index.ts'
import { noJobs } from '../../support/no-jobs.ts'
import { aTill, charge, NOW, type Till } from './till.ts'

const DAY_S = 86_400
const kept = {
  LogRetentionDays: 365,
  LogRetentionMegabytes: 0,
  LedgerRetentionDays: 365,
  LedgerRetentionMegabytes: 0,
}

async function cleaned(till: Till, changed: Partial<typeof kept> = {}) {
  const values = { ...kept, ...changed }
  const settings = { get: (key: OptionKey) => values[key as keyof typeof kept] as never }
  const removed = { logs: 0, ledger: 0 }
  await removeOld({ db: till.database.db, settings, clock: till.clock }, removed, new AbortController().signal)
  return removed
}

async function verified(till: Till) {
  till.checks.begin('new', { kind: 'schedule' })
  await till.checks.idle()
}

/** Settles `count` requests of one user, charged 1 each and dated this many days ago. */
async function charged(till: Till, user: number, count: number, daysAgo: number, token = 0) {
  const at = NOW - daysAgo * DAY_S
  for (let turn = 0; turn < count; turn += 1)
    till.hold(`d${daysAgo}-${turn}`, { user, token, quota: 1 }).settle({
      ...charge(1, { user_id: user, created_at: at, request_id: `d${daysAgo}-${turn}` }),
      at,
      failedChannels: [1],
    })
  await till.ledger.flush()
}

const counts = async (till: Till) => ({ logs: (await till.logRows()).length, ledger: (await till.ledgerRows()).length })

describe('retention', () => {
  it.each([
    ['days', { LogRetentionDays: 7 }],
    ['megabytes', { LogRetentionDays: 0, LogRetentionMegabytes: 1 }],
  ])('retains rows about actions of administrators for 180 days, by %s', async (_, changed) => {
    const till = await aTill()
    const row = { user_id: 1, quota: 0, content: 'x'.repeat(2000) }
    for (let turn = 0; turn < 1200; turn += 1)
      till.ledger.auditLog.record({ ...row, type: 4, created_at: NOW - 200 * DAY_S })
    for (const days of [181, 179]) till.ledger.auditLog.record({ ...row, type: 3, created_at: NOW - days * DAY_S })
    await till.ledger.flush()
    await cleaned(till, changed)
    const rows = await till.logRows()
    const audits = rows.filter(({ type }) => type === 3).map(({ created_at: at }) => (NOW - Number(at)) / DAY_S)
    expect(audits).toContain(179)
    expect(rows.length).toBeLessThan(1000)
    if (changed.LogRetentionDays > 0) expect(audits).toEqual([179])
  })

  it('removes rows older than a year from the log and the ledger, and the ledger still adds up', async () => {
    const till = await aTill()
    const alice = await till.user(100_000)
    const token = await till.token(alice, 50_000)
    await charged(till, alice, 1200, 400, token)
    await charged(till, alice, 30, 300, token)
    await verified(till)
    expect(await cleaned(till)).toEqual({ logs: 1200, ledger: 1200 })
    expect(await counts(till)).toEqual({ logs: 30, ledger: 31 })
    expect(await till.wrong()).toEqual([])
    for (const scope of ['new', 'all'] as const) {
      till.checks.begin(scope, { kind: 'user' })
      await till.checks.idle()
    }
    expect(till.said).toEqual([])
    const again = await aTill(till.killed())
    expect([again.said, await again.wrong()]).toEqual([[], []])
    expect(await again.userRow(alice)).toEqual({ quota: 98_770, used_quota: 1230, request_count: 1230 })
  })

  it('removes no charge that has not been checked, and none while a difference is unacknowledged', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    await charged(till, alice, 10, 400)
    expect(await cleaned(till)).toEqual({ logs: 10, ledger: 0 })
    await till.database.db.updateTable('users').set({ quota: 5 }).where('id', '=', alice).execute()
    await charged(till, alice, 1, 399)
    await verified(till)
    expect(await cleaned(till)).toEqual({ logs: 1, ledger: 0 })
  })

  it('retains grants and payments for ever, so that none can count twice', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    await charged(till, alice, 5, 400)
    await till.database.db.updateTable('ledger').set({ created_at: 0 }).where('kind', '=', 'grant').execute()
    await charged(till, alice, 1, 1)
    await verified(till)
    expect(await cleaned(till)).toEqual({ logs: 5, ledger: 5 })
    const again = till.ledger.move({ kind: 'grant', userId: alice, amount: 1, refType: 'born', refId: `${alice}` })
    await expect(again).rejects.toThrow()
  })

  it('retains the newest entries that fit a size', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    const long = { user_id: alice, content: 'x'.repeat(9000) }
    for (let turn = 0; turn < 1000; turn += 1) till.ledger.auditLog.record({ created_at: NOW, type: 5, ...long })
    await till.ledger.flush()
    expect(await cleaned(till, { LogRetentionMegabytes: 20 })).toEqual({ logs: 0, ledger: 0 })
    expect((await cleaned(till, { LogRetentionMegabytes: 5 })).logs).toBe(500)
    expect((await till.logRows()).length).toBe(500)
  })

  it('retains the newest charges that fit a size, and those of the last two months regardless of the size', async () => {
    const till = await aTill()
    const alice = await till.user(100_000)
    await charged(till, alice, 12_000, 100)
    await charged(till, alice, 2000, 5)
    await verified(till)
    expect(await cleaned(till, { LedgerRetentionMegabytes: 100 })).toEqual({ logs: 0, ledger: 0 })
    const { ledger } = await cleaned(till, { LedgerRetentionMegabytes: 1 })
    expect(ledger).toBeGreaterThan(0)
    expect(ledger).toBeLessThanOrEqual(12_000)
    expect((await counts(till)).ledger).toBe(14_001 - ledger)
    expect(await till.wrong()).toEqual([])
  })

  it('retains everything where age and size are 0', async () => {
    const till = await aTill()
    await charged(till, await till.user(1000), 20, 3000)
    await verified(till)
    expect(await cleaned(till, { LogRetentionDays: 0, LedgerRetentionDays: 0 })).toEqual({ logs: 0, ledger: 0 })
  })

  it('retains usage by hour for 400 days, and as long as the log where that is longer', async () => {
    const till = await aTill()
    const alice = await till.user(100_000)
    const token = await till.token(alice, 50_000)
    for (const days of [500, 450, 399]) await charged(till, alice, 2, days, token)
    const hours = async () => {
      const tables = ['quota_data', 'usage_hours', 'latency_hours', 'channel_hours'] as const
      const rows = tables.map((table) => till.database.db.selectFrom(table).select('created_at').distinct().execute())
      const found = (await Promise.all(rows)).map((some) => some.map(({ created_at }) => created_at))
      return found.map((times) => times.map((at) => Math.floor((NOW - at) / DAY_S)).sort((one, other) => one - other))
    }
    expect(await hours()).toEqual([
      [399, 450, 500],
      [399, 450, 500],
      [399, 450, 500],
      [399, 450, 500],
    ])
    await cleaned(till, { LogRetentionDays: 0 })
    expect((await hours())[0]).toEqual([399, 450, 500])
    await cleaned(till, { LogRetentionDays: 460 })
    expect((await hours())[0]).toEqual([399, 450])
    await cleaned(till, { LogRetentionDays: 7 })
    expect(await hours()).toEqual([[399], [399], [399], [399]])
  })

  it('lets other work continue between its small transactions', async () => {
    const till = await aTill()
    const alice = await till.user(100_000)
    await charged(till, alice, 6000, 400)
    await verified(till)
    let turns = 0
    let going = true
    const beat = () => {
      turns += 1
      if (going) setImmediate(beat)
    }
    setImmediate(beat)
    const removing = cleaned(till)
    till.hold('meanwhile', { user: alice }).settle(charge(5))
    await till.ledger.flush()
    // The newest verified row is retained, so that row numbers are never reused.
    expect(await removing).toEqual({ logs: 6000, ledger: 5999 })
    going = false
    expect(turns).toBeGreaterThan(24)
    expect(await till.wrong()).toEqual([])
  })

  it('leaves a ledger that adds up whenever it is killed', async () => {
    const till = await aTill()
    const alice = await till.user(100_000)
    await charged(till, alice, 3000, 400)
    await verified(till)
    const folders: string[] = []
    const removed = {
      logs: 0,
      get ledger() {
        return folders.length
      },
      set ledger(_: number) {
        folders.push(till.killed())
      },
    }
    const settings = { get: (key: OptionKey) => kept[key as keyof typeof kept] as never }
    await removeOld({ db: till.database.db, settings, clock: till.clock }, removed, new AbortController().signal)
    expect(folders.length).toBeGreaterThan(2)
    for (const folder of folders.slice(0, 3)) {
      const again = await aTill(folder)
      expect([again.said, await again.wrong()]).toEqual([[], []])
      await again.close()
    }
  })
})

describe('the nightly run', () => {
  const upkeepOf = (till: Till) => {
    const settings = { get: (key: OptionKey) => kept[key as keyof typeof kept] as never }
    return createUpkeep({ ...till, db: till.database.db, jobs: noJobs, settings, log: silentLogger })
  }
  const checksOf = (till: Till) =>
    till.database.db.selectFrom('ledger_checks').select('started_by').where('started_by', '=', 'schedule').execute()

  it('checks the ledger once a night and removes old rows, also after a night in which the machine slept', async () => {
    const till = await aTill()
    const upkeep = upkeepOf(till)
    await charged(till, await till.user(1000), 5, 364)
    await upkeep.tick()
    expect(upkeep.lastCleanup()).toEqual({ ended_at: NOW, logs: 0, ledger: 0 })
    expect(await checksOf(till)).toHaveLength(0)
    till.clock.advanceSeconds(2 * DAY_S)
    for (let turn = 0; turn < 3; turn += 1) await upkeep.tick()
    expect(await checksOf(till)).toHaveLength(1)
    expect(upkeep.lastCleanup()).toEqual({ ended_at: NOW + 2 * DAY_S, logs: 5, ledger: 4 })
    await upkeep.stop()
  })

  it('is due again once a clock that was years ahead is set right', async () => {
    const till = await aTill()
    const upkeep = upkeepOf(till)
    for (const jump of [3650, -3650]) {
      till.clock.setSeconds(jump * DAY_S)
      till.clock.advanceSeconds(DAY_S)
      for (let turn = 0; turn < 2; turn += 1) await upkeep.tick()
    }
    expect(await checksOf(till)).toHaveLength(2)
    expect(upkeep.lastCleanup()?.ended_at).toBe(NOW + 2 * DAY_S)
    await upkeep.stop()
  })

  it('falls into the night by the local clock', () => {
    const at = (hour: number, minute: number) => new Date(2026, 4, 10, hour, minute).getTime()
    const night = (day: number) => new Date(2026, 4, day, NIGHT_HOUR).getTime() / 1000
    expect(lastNight(at(2, 59))).toBe(night(9))
    expect(lastNight(at(3, 0))).toBe(night(10))
    expect(lastNight(at(23, 59))).toBe(night(10))
  })
})
