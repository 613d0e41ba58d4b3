/**
 * Every background job by its name, in the order in which administrators see them (docs/reference/jobs.md#what-runs). What one
 * is called and does is `job.name.<name>` and `job.about.<name>` in shared/messages.
 */
export const jobNames = [
  'ledger-check',
  'retention',
  'backup',
  'scheduled-prices',
  'channel-tests',
  'channel-balances',
  'channel-recovery',
  'local-models',
  'follow-drawings',
  'follow-tasks',
  'client-usage',
  'failure-log',
  'unpaid-orders',
  'sessions',
  'stored-responses',
  'conversations',
  'response-cache',
  'kept-bodies',
  'share',
] as const

export type JobName = (typeof jobNames)[number]
