import { z } from 'zod'
import { call } from './call.ts'
import { idParams } from './fields.ts'

/** `new`: what came since the last check, added to what was added up then; `all`: every row of the ledger. */
const scope = z.enum(['new', 'all'])

/** A comparison of all balances with the ledger that is over. */
const check = z.object({
  id: z.number(),
  scope,
  started_by: z.enum(['start', 'schedule', 'user']),
  /** Who asked for it; empty for the gateway itself. */
  username: z.string(),
  state: z.enum(['done', 'cancelled', 'failed']),
  /** Unix seconds. */
  started_at: z.number(),
  ended_at: z.number(),
  took_ms: z.number(),
  /** Rows of the ledger that were added up, and accounts compared with what they add up to. */
  ledger_rows: z.number(),
  accounts: z.number(),
  differences: z.number(),
})
export type LedgerCheck = z.infer<typeof check>

const progress = z.object({
  scope,
  started_at: z.number(),
  rows: z.number(),
  accounts: z.number(),
  is_cancelling: z.boolean(),
})
export type LedgerCheckProgress = z.infer<typeof progress>

/** A balance that says something else than its rows of the ledger. The figures are whole numbers of any width, as text. */
const difference = z.object({
  id: z.number(),
  account: z.enum(['user', 'token', 'channel']),
  account_id: z.number(),
  /** What the account is called today; empty where it is gone. */
  name: z.string(),
  column: z.enum(['quota', 'used_quota', 'request_count']),
  recorded: z.string(),
  summed: z.string(),
  /** Unix seconds of the check that found it first, and of the last one that did. */
  found_at: z.number(),
  seen_at: z.number(),
})
export type LedgerDifference = z.infer<typeof difference>

/** The last clean-up since the gateway started. */
const cleanup = z.object({
  ended_at: z.number(),
  /** Entries of the usage log, and rows of the ledger, that were removed. */
  logs: z.number(),
  ledger: z.number(),
})
export type Cleanup = z.infer<typeof cleanup>

const state = z.object({
  running: progress.nullable(),
  /** The newest first. */
  checks: z.array(check),
  /** What nobody has acknowledged. */
  differences: z.array(difference),
  is_cleaning: z.boolean(),
  cleanup: cleanup.nullable(),
})
export type LedgerState = z.infer<typeof state>

/** How the ledger is verified, and how much of it and of the usage log is kept. */
export const ledger = {
  state: call({ method: 'GET', path: '/api/ledger', access: 'admin', answer: state }),
  /** Starts a check in the background; refuses while one is on its way. */
  verify: call({
    method: 'POST',
    path: '/api/ledger/check',
    access: 'admin',
    body: z.object({ scope }),
    answer: z.null(),
  }),
  cancel: call({ method: 'DELETE', path: '/api/ledger/check', access: 'admin', answer: z.null() }),
  /** Takes note of a difference; no balance changes. */
  acknowledge: call({
    method: 'POST',
    path: '/api/ledger/difference/:id',
    access: 'admin',
    params: idParams,
    answer: z.null(),
  }),
  /** Removes in the background what is older or larger than the settings keep. */
  cleanUp: call({ method: 'POST', path: '/api/ledger/cleanup', access: 'admin', answer: z.null() }),
}
