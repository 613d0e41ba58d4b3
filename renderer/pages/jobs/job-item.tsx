import { Button, Classes, H2, type Intent } from '@blueprintjs/core'
import { Play } from '@blueprintjs/icons'
import { type JobView, job as jobCalls, type LastJobRun } from '../../../shared/api/job.ts'
import { role } from '../../../shared/enums.ts'
import { rootJobs } from '../../../shared/jobs.ts'
import { useUser } from '../../api/session.ts'
import { useSend } from '../../api/use-call.ts'
import { StatusTag } from '../../components/status-tag/status-tag.tsx'
import { AgeText } from '../../components/time-text/age-text.tsx'
import { TimeText } from '../../components/time-text/time-text.tsx'
import { showSuccess } from '../../components/toasts.ts'
import { useDuration } from '../../components/use-duration.ts'
import { useTranslation } from '../../translation.ts'

export function JobItem({ job }: { job: JobView }) {
  const { t } = useTranslation()
  const isRoot = (useUser()?.role ?? 0) >= role.root
  return (
    <li className="jobs-item">
      <div className="jobs-what">
        <H2 className="jobs-name">{job.title}</H2>
        <p className={Classes.TEXT_MUTED}>{job.about}</p>
      </div>
      <dl className="jobs-facts">
        <div>
          <dt className={Classes.TEXT_MUTED}>{t('jobs.last')}</dt>
          <dd>
            <Last job={job} />
          </dd>
        </div>
        <div>
          <dt className={Classes.TEXT_MUTED}>{t('jobs.schedule')}</dt>
          <dd>
            <Schedule job={job} />
          </dd>
        </div>
      </dl>
      {(isRoot || !rootJobs.includes(job.name)) && <RunNow job={job} />}
    </li>
  )
}

function Last({ job: { last, running, is_elsewhere: isElsewhere } }: { job: JobView }) {
  const { t } = useTranslation()
  if (running)
    return (
      <>
        <StatusTag intent="primary" text={t('jobs.running')} /> <AgeText at={running.started_at} />
        {running.username && ` · ${t('jobs.by', { name: running.username })}`}
      </>
    )
  if (isElsewhere) return <StatusTag intent="primary" text={t('jobs.elsewhere')} />
  return last ? <Result run={last} /> : <span className={Classes.TEXT_MUTED}>{t('jobs.never')}</span>
}

function Result({ run: { outcome, message, started_at, took_ms, username } }: { run: LastJobRun }) {
  const { t } = useTranslation()
  const duration = useDuration()
  return (
    <>
      <StatusTag intent={intents[outcome]} text={t(`jobs.outcome.${outcome}`)} /> <AgeText at={started_at} />
      <span className={`jobs-more ${Classes.TEXT_MUTED}`}>
        {[duration(took_ms), username && t('jobs.by', { name: username })].filter(Boolean).join(' · ')}
      </span>
      {message && <p className={outcome === 'failed' ? 'jobs-failure' : 'jobs-result'}>{message}</p>}
    </>
  )
}

const intents = { done: 'success', failed: 'danger', stopped: 'none' } as const satisfies Record<
  LastJobRun['outcome'],
  Intent
>

function Schedule({
  job: { every_seconds: every, is_nightly: isNightly, is_on_every_node: isOnAll, next_at },
}: {
  job: JobView
}) {
  const { t } = useTranslation()
  const interval = useInterval()
  if (every === 0 || next_at === null) return t('jobs.onDemand')
  // The next run is not shown if it is always less than a minute away.
  const isSoon = !isNightly && every < MINUTE_S
  return (
    <>
      {isNightly ? t('jobs.nightly') : interval(every)}
      {isOnAll && <span className={Classes.TEXT_MUTED}> · {t('jobs.everyNode')}</span>}
      {!isSoon && (
        <p className={`jobs-result ${Classes.TEXT_MUTED}`}>
          {t('jobs.next')} <TimeText at={next_at} isShort />
        </p>
      )}
    </>
  )
}

const MINUTE_S = 60
const HOUR_S = 3600

/** `Every 10 s`, `Every 5 min`, `Every hour`. */
function useInterval(): (seconds: number) => string {
  const { t } = useTranslation()
  const every = (time: string) => t('jobs.every', { time })
  return (seconds) => {
    if (seconds === HOUR_S) return t('jobs.everyHour')
    if (seconds === MINUTE_S) return t('jobs.everyMinute')
    if (seconds === 1) return t('jobs.everySecond')
    if (seconds % HOUR_S === 0) return every(t('jobs.hours', { n: seconds / HOUR_S }))
    if (seconds % MINUTE_S === 0) return every(t('jobs.minutes', { n: seconds / MINUTE_S }))
    return every(t('jobs.seconds', { n: seconds }))
  }
}

/** The accessible name of this button includes the job's name, because each job has such a button. */
function RunNow({ job: { name, title, running, is_elsewhere: isElsewhere } }: { job: JobView }) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(jobCalls.run)
  const run = () => mutate({ params: { name } }, { onSuccess: () => showSuccess(t('jobs.started', { job: title })) })
  return (
    <Button
      className="jobs-run"
      icon={<Play />}
      text={t('jobs.run')}
      aria-label={t('jobs.runOf', { job: title })}
      loading={isPending}
      disabled={running !== null || isElsewhere}
      onClick={run}
    />
  )
}
