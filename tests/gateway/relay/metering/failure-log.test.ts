import { describe, expect, it, onTestFinished } from 'vitest'
import {
  createFailureLog,
  MAX_PER_ACCOUNT,
  MAX_PER_TOKEN,
  MAX_SIMILAR,
} from '../../../../gateway/relay/metering/failure-log.ts'
import type { NewLog } from '../../../../gateway/store/schema/schema.ts'
import { aClock } from '../../../support/clock.ts'
import { noJobs } from '../../../support/no-jobs.ts'

const START_S = 1_700_000_000

function aLog(isKept = true, hasSpace = true) {
  const clock = aClock(START_S * 1000)
  const rows: NewLog[] = []
  const settings = { get: () => isKept as never }
  const failures = createFailureLog({
    settings,
    write: (row) => rows.push(row),
    clock,
    jobs: noJobs,
    hasDiskSpace: () => hasSpace,
  })
  onTestFinished(() => failures.stop())
  const fails = (times: number, code = 'quota', token = 1, user = 7) => {
    const told: boolean[] = []
    for (let turn = 0; turn < times; turn += 1) {
      const other = JSON.stringify({ request_id: `r${turn}`, error_code: code })
      const created_at = Math.floor(clock.now() / 1000)
      told.push(failures.note({ user_id: user, token_id: token, created_at, type: 5, other }, code))
    }
    return told.filter((isWritten) => isWritten).length
  }
  const folded = () => rows.flatMap(({ other = '' }) => JSON.parse(other).folded ?? [])
  return { clock, rows, failures, fails, folded }
}

describe('the rows of failed requests', () => {
  it('are complete at first, then one a minute with the count and the start', () => {
    const { clock, rows, failures, fails, folded } = aLog()
    expect(fails(MAX_SIMILAR)).toBe(MAX_SIMILAR)
    for (let second = 0; second < 600; second += 1) {
      clock.advanceSeconds(1)
      expect(fails(3)).toBe(0)
      if (second % 10 === 9) failures.flush()
    }
    expect(rows.length).toBeGreaterThanOrEqual(MAX_SIMILAR + 8)
    expect(rows.length).toBeLessThanOrEqual(MAX_SIMILAR + 10)
    const [first] = folded()
    expect(first).toEqual({ count: (first.last - first.first + 1) * 3, first: START_S + 1, last: first.last })
    expect(rows.at(-1)).toMatchObject({ user_id: 7, token_id: 1, type: 5, created_at: folded().at(-1).last })
  })

  it('are whole again after a quiet minute, and those of other tokens and codes all the time', () => {
    const { clock, fails } = aLog()
    expect([fails(MAX_SIMILAR + 5), fails(3, 'words'), fails(3, 'quota', 2)]).toEqual([MAX_SIMILAR, 3, 3])
    clock.advanceSeconds(61)
    expect(fails(5)).toBe(5)
  })

  it('are folded for a token whose every failure has another code', () => {
    const { fails, rows, failures, clock, folded } = aLog()
    let written = 0
    for (let turn = 0; turn < 1000; turn += 1) written += fails(1, `code-${turn}`)
    expect(written).toBe(MAX_PER_TOKEN)
    clock.advanceSeconds(61)
    failures.flush()
    expect([rows.length, folded()]).toEqual([MAX_PER_TOKEN + 1, [{ count: 900, first: START_S, last: START_S }]])
  })

  it('lose none of the folded ones: they are written when the gateway stops, or when there are too many to remember', async () => {
    const { fails, failures, folded } = aLog()
    fails(MAX_SIMILAR + 4)
    for (let token = 2; token < 3000; token += 1) fails(1, 'quota', token, token)
    expect(folded()).toEqual([{ count: 4, first: START_S, last: START_S }])
    fails(MAX_SIMILAR + 2, 'quota', 9999)
    await failures.stop()
    expect(folded()).toHaveLength(2)
  })

  it('are folded for an account with many tokens, whose codes and tokens alternate', () => {
    const { fails, rows, failures, clock, folded } = aLog()
    const round = () => {
      for (let turn = 0; turn < 6000; turn += 1) fails(1, `code-${turn % 5}`, turn % 1000)
    }
    round()
    expect(rows).toHaveLength(MAX_PER_ACCOUNT)
    for (let minute = 0; minute < 58; minute += 1) {
      clock.advanceSeconds(61)
      round()
      failures.flush()
    }
    expect(rows.length).toBeLessThanOrEqual(MAX_PER_ACCOUNT + 58)
    expect(folded()[0].count).toBeGreaterThan(10_000)
    expect(fails(1, 'quota', 1, 8)).toBe(1)
    clock.advanceSeconds(120)
    expect(fails(1)).toBe(1)
  })

  it('are folded while the disk is almost full', () => {
    const { fails, rows, failures, clock, folded } = aLog(true, false)
    expect(fails(50)).toBe(0)
    expect(rows).toEqual([])
    clock.advanceSeconds(61)
    failures.flush()
    expect(folded()).toEqual([{ count: 50, first: START_S, last: START_S }])
  })

  it('are counted where none are stored, so that the process log is limited as well', async () => {
    const { fails, rows, failures } = aLog(false)
    expect(fails(MAX_SIMILAR + 5)).toBe(MAX_SIMILAR)
    await failures.stop()
    expect(rows).toEqual([])
  })
})
