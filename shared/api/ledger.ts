import { z } from 'zod'
import { call } from './call.ts'
import { idParams } from './fields.ts'

/** `new`: rows since the last check, added to its sums; `all`: every row of the ledger. */
const scope = z.enum(['new', 'all'])

/** A finished comparison of all balances with the ledger. */
const check = z
  .object({
    id: z.int(),
    scope,
    started_by: z.enum(['start', 'schedule', 'user']),
    username: z.string().describe('The user who started it; empty for the gateway itself.'),
    state: z.enum(['done', 'cancelled', 'failed']),
    started_at: z.int().describe('Unix seconds.'),
    ended_at: z.int().describe('Unix seconds.'),
    took_ms: z.int(),
    ledger_rows: z.int().describe('Number of ledger rows that were summed.'),
    accounts: z.int().describe('Number of accounts, tokens and channels that were compared with these sums.'),
    differences: z.int(),
  })
  .meta({ id: 'LedgerCheck' })
export type LedgerCheck = z.infer<typeof check>

const progress = z.object({
  scope,
  started_at: z.int(),
  rows: z.int(),
  accounts: z.int(),
  is_cancelling: z.boolean(),
})
export type LedgerCheckProgress = z.infer<typeof progress>

/** A balance that differs from the sum of its ledger rows. Figures are integers of any size, as text. */
const difference = z
  .object({
    id: z.int(),
    account: z.enum(['user', 'token', 'channel']),
    account_id: z.int(),
    name: z.string().describe('The current name; empty if it was deleted.'),
    column: z.enum(['quota', 'used_quota', 'request_count']),
    recorded: z.string(),
    summed: z.string(),
    found_at: z.int().describe('Unix seconds of the first check that found it.'),
    seen_at: z.int().describe('Unix seconds of the last check that found it.'),
  })
  .meta({ id: 'LedgerDifference' })
export type LedgerDifference = z.infer<typeof difference>

/** The last clean-up since the gateway's start. */
const cleanup = z.object({
  ended_at: z.int(),
  logs: z.int().describe('Number of deleted rows of the usage log and the ledger.'),
  ledger: z.int(),
})
export type Cleanup = z.infer<typeof cleanup>

const state = z
  .object({
    running: progress.nullable(),
    checks: z.array(check).describe('Newest first.'),
    differences: z.array(difference).describe('Differences not yet acknowledged.'),
    is_cleaning: z.boolean(),
    cleanup: cleanup.nullable(),
  })
  .meta({ id: 'LedgerState' })
export type LedgerState = z.infer<typeof state>

/** Verification of the ledger, and retention of it and of the usage log. */
export const ledger = {
  state: call({
    method: 'GET',
    path: '/api/ledger',
    summary: 'Returns the state of the comparison of balances with the ledger.',
    access: 'admin',
    answer: state,
  }),
  /** Starts a check in the background; refuses while one is running. */
  verify: call({
    method: 'POST',
    path: '/api/ledger/check',
    summary: 'Starts a comparison of all balances with the ledger in the background.',
    access: 'admin',
    body: z.object({ scope }),
    answer: z.null(),
  }),
  cancel: call({
    method: 'DELETE',
    path: '/api/ledger/check',
    summary: 'Cancels the running comparison.',
    access: 'admin',
    answer: z.null(),
  }),
  acknowledge: call({
    method: 'POST',
    path: '/api/ledger/difference/:id',
    summary: 'Acknowledges a difference; no balance changes.',
    access: 'admin',
    params: idParams,
    answer: z.null(),
  }),
  cleanUp: call({
    method: 'POST',
    path: '/api/ledger/cleanup',
    summary: 'Deletes rows beyond the retention settings in the background.',
    access: 'admin',
    answer: z.null(),
  }),
}
