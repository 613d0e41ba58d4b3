import { job } from '../../../shared/api/job.ts'
import { logType, role } from '../../../shared/enums.ts'
import { rootJobs } from '../../../shared/jobs.ts'
import { parsed } from '../../../shared/json.ts'
import { isMessageKey } from '../../../shared/messages/en.ts'
import { formatMessage, type Locale, type MessageParams } from '../../../shared/messages/format.ts'
import type { AuditLog } from '../../audit/audit-log.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import type { JobState, Scheduler } from '../../jobs/scheduler.ts'
import type { JobRunRow } from '../../store/schema/schema-jobs.ts'
import { type Served, serve } from '../serve.ts'

type JobApiDeps = Readonly<{
  jobs: Pick<Scheduler, 'list' | 'runNow'>
  auditLog: AuditLog
  clock: Clock
}>

/** The background jobs for administrators (docs/reference/jobs.md). */
export const jobApi = ({ jobs, auditLog, clock }: JobApiDeps): Served[] =>
  serve(job, {
    list: async ({ caller }) => (await jobs.list()).map((state) => viewOf(state, caller.locale)),
    run: async ({ params: { name }, actor, caller: { locale } }) => {
      if (rootJobs.includes(name) && actor.role < role.root) throw refuse('forbidden', 'job.root_only')
      await jobs.runNow(name, actor.username)
      auditLog.record({
        user_id: 0,
        created_at: unixSeconds(clock),
        type: logType.manage,
        content: formatMessage(locale, 'log.job_run', { job: formatMessage(locale, `job.name.${name}`) }),
        other: JSON.stringify({ admin_info: { actor: { id: actor.id, username: actor.username } } }),
      })
      return null
    },
  })

function viewOf(state: JobState, locale: Locale) {
  const { name, everyMs, isNightly, isOnEveryNode, running, isElsewhere, last, nextAt } = state
  return {
    name,
    title: formatMessage(locale, `job.name.${name}`),
    about: formatMessage(locale, `job.about.${name}`),
    every_seconds: everyMs / 1000,
    is_nightly: isNightly,
    is_on_every_node: isOnEveryNode,
    running: running && { started_at: running.startedAt, username: running.by },
    is_elsewhere: isElsewhere,
    last: last && lastView(last, locale),
    next_at: nextAt,
  }
}

/** A message of another release may be unknown. */
function lastView({ started_at, took_ms, outcome, message, params, username }: JobRunRow, locale: Locale) {
  const values = parsed(params) as MessageParams // written by this gateway's scheduler
  const text = isMessageKey(message) ? formatMessage(locale, message, values) : ''
  return { started_at, took_ms, outcome, message: text, username }
}
