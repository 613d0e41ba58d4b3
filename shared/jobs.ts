/**
 * All background jobs by name, in the order shown to administrators (docs/reference/jobs.md#jobs). Name and
 * description are `job.name.<name>` and `job.about.<name>` in shared/messages.
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

/** Only the super administrator may start these: backups made by such a run stay until they are deleted. */
export const rootJobs: readonly JobName[] = ['backup']

export type JobName = (typeof jobNames)[number]
