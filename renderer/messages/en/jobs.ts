import { backups } from './backups.ts'

export { share } from './share.ts'

/** Texts of the page of background jobs, in English. */
export const jobs = {
  ...backups,
  'jobs.intro': 'Scheduled and automatic jobs. The last result of each is saved across restarts.',
  'jobs.none': 'No background jobs',
  'jobs.noneHint': 'This gateway has no automatic jobs.',
  'jobs.last': 'Last run',
  'jobs.schedule': 'Schedule',
  'jobs.next': 'Next:',
  'jobs.never': 'Not run yet',
  'jobs.running': 'Running',
  'jobs.elsewhere': 'Running on another node',
  'jobs.outcome.done': 'Done',
  'jobs.outcome.failed': 'Failed',
  'jobs.outcome.stopped': 'Stopped',
  'jobs.by': 'by {name}',
  'jobs.every': 'Every {time}',
  'jobs.everySecond': 'Every second',
  'jobs.everyMinute': 'Every minute',
  'jobs.everyHour': 'Every hour',
  'jobs.seconds': '{n} s',
  'jobs.minutes': '{n} min',
  'jobs.hours': '{n} h',
  'jobs.nightly': 'Every night',
  'jobs.onDemand': 'On demand only',
  'jobs.everyNode': 'on every node',
  'jobs.run': 'Run now',
  'jobs.runOf': 'Run now: {job}',
  'jobs.started': 'Started: {job}',
}
