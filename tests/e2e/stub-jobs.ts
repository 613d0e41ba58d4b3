import type { JobView, LastJobRun } from '../../shared/api/job.ts'

const NOW = Math.floor(Date.now() / 1000)

const done: LastJobRun = {
  started_at: NOW - 5400,
  took_ms: 420,
  outcome: 'done',
  message: 'Channels tested: 12, failed: 1',
  username: '',
}

const job = (name: JobView['name'], title: string, about: string, more: Partial<JobView> = {}): JobView => ({
  name,
  title,
  about,
  every_seconds: 1800,
  is_nightly: false,
  is_on_every_node: false,
  running: null,
  is_elsewhere: false,
  last: done,
  next_at: NOW + 1200,
  ...more,
})

/** Jobs of all kinds: nightly, every few seconds, only manual, never run yet, stopped with the gateway. */
export const jobs: readonly JobView[] = [
  job('ledger-check', 'Ledger check', 'Compares new ledger entries with all balances.', {
    every_seconds: 60,
    is_nightly: true,
    last: { ...done, message: 'Differences found: 0' },
    next_at: NOW + 36_000,
  }),
  job('retention', 'Log cleanup', 'Removes log and ledger entries that are older or larger than the settings keep.', {
    every_seconds: 60,
    is_nightly: true,
    last: { ...done, outcome: 'stopped', message: '', took_ms: 9400 },
    next_at: NOW + 36_000,
  }),
  job(
    'channel-tests',
    'Test of all channels',
    'Tests every channel, and enables or disables it according to the settings.',
  ),
  job(
    'channel-balances',
    'Update of all balances',
    'Queries providers for the balance of every channel that has one.',
    {
      every_seconds: 0,
      last: null,
      next_at: null,
    },
  ),
  job('client-usage', 'Client usage', 'Records which clients the channels have served.', {
    every_seconds: 15,
    is_on_every_node: true,
    last: { ...done, message: 'Entries written: 4', username: 'a-person-with-a-rather-long-name' },
  }),
]

/** With a manual run in progress, and one on another node. */
export const running: readonly JobView[] = jobs.map((one) => {
  if (one.name === 'channel-balances') return { ...one, is_elsewhere: true }
  return one.name === 'channel-tests' ? { ...one, running: { started_at: NOW - 130, username: 'root' } } : one
})

export const afterFailure: readonly JobView[] = jobs.map((one) =>
  one.name === 'channel-tests'
    ? {
        ...one,
        last: {
          ...done,
          outcome: 'failed',
          message: 'Internal error. See 7fQ2xLk09aZb in the gateway log for details.',
        },
      }
    : one,
)
