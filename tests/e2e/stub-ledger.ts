import type { LedgerCheck, LedgerDifference, LedgerState } from '../../shared/api/ledger.ts'

const check: LedgerCheck = {
  id: 9,
  scope: 'new',
  started_by: 'schedule',
  username: '',
  state: 'done',
  started_at: 1_795_230_000,
  ended_at: 1_795_230_002,
  took_ms: 1840,
  ledger_rows: 214_377,
  accounts: 1268,
  differences: 0,
}

/** Checks of every kind and result, the last of which found no differences. */
export const agrees: LedgerState = {
  running: null,
  checks: [
    check,
    {
      ...check,
      id: 8,
      started_by: 'user',
      username: 'operations-team',
      scope: 'all',
      took_ms: 61_300,
      ledger_rows: 48_212_904,
    },
    { ...check, id: 7, started_by: 'user', username: 'root', scope: 'all', state: 'cancelled', accounts: 0 },
    { ...check, id: 6, state: 'failed', ledger_rows: 0, accounts: 0 },
    { ...check, id: 5, started_by: 'start', differences: 1, took_ms: 12 },
  ],
  differences: [],
  is_cleaning: false,
  cleanup: { ended_at: 1_795_230_010, logs: 18_204, ledger: 17_790 },
}

const difference: LedgerDifference = {
  id: 3,
  account: 'user',
  account_id: 42,
  name: 'research',
  column: 'quota',
  recorded: '125000000',
  summed: '124000000',
  found_at: 1_795_143_602,
  seen_at: 1_795_230_002,
}

/** Differences in all kinds of accounts, one with figures wider than a number. */
export const differs: LedgerState = {
  ...agrees,
  checks: [{ ...check, id: 10, differences: 3 }, ...agrees.checks],
  differences: [
    difference,
    {
      ...difference,
      id: 2,
      account: 'channel',
      account_id: 7,
      name: '',
      column: 'used_quota',
      summed: '19000000000000001',
    },
    { ...difference, id: 1, account: 'token', name: 'integration-of-the-website', column: 'used_quota' },
  ],
}

/** A complete check in progress. */
export const goesOn: LedgerState = {
  ...agrees,
  running: { scope: 'all', started_at: 1_795_230_100, rows: 1_204_000, accounts: 0, is_cancelling: false },
  is_cleaning: true,
}
