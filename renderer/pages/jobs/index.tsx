import './jobs.css'
import { Card, Classes } from '@blueprintjs/core'
import { AutomaticUpdates } from '@blueprintjs/icons'
import type { UseQueryResult } from '@tanstack/react-query'
import { type JobView, job } from '../../../shared/api/job.ts'
import { node } from '../../../shared/api/node.ts'
import { role } from '../../../shared/enums.ts'
import { send } from '../../api/client.ts'
import { useUser } from '../../api/session.ts'
import { areaOf } from '../../api/use-call.ts'
import { usePolled } from '../../api/use-polled.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { FailedState } from '../../components/blank-state/failed-state.tsx'
import { later } from '../../components/later.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { StaleNote } from '../../components/stale-note/stale-note.tsx'
import { useTranslation } from '../../translation.ts'
import { JobItem } from './job-item.tsx'

const Nodes = later(async () => (await import('./nodes/nodes.tsx')).Nodes)
const Backups = later(async () => (await import('./backups/backups.tsx')).Backups)

/** Background jobs: last result, next run, and a button to run them now (docs/reference/jobs.md). */
export default function JobsPage() {
  const { t } = useTranslation()
  const { data, error, refetch, dataUpdatedAt } = useJobs()
  const isRoot = useUser()?.role === role.root
  return (
    <PageFrame title={t('page.jobs')}>
      <p className={`jobs-intro ${Classes.TEXT_MUTED}`}>{t('jobs.intro')}</p>
      {error && !data && <Failed message={error.message} onRetry={refetch} />}
      {!error && !data && <Waiting />}
      {data && <StaleNote loadedAt={dataUpdatedAt} error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && (
        <Card className="jobs-blank">
          <BlankState icon={<AutomaticUpdates size={48} />} title={t('jobs.none')} description={t('jobs.noneHint')} />
        </Card>
      )}
      {data && data.length > 0 && (
        <Card className="jobs-card">
          <ul aria-label={t('page.jobs')}>
            {data.map((job) => (
              <JobItem key={job.name} job={job} />
            ))}
          </ul>
        </Card>
      )}
      {isRoot && <OfDatabase />}
    </PageFrame>
  )
}

/** For root: the backups of SQLite, or the nodes on PostgreSQL, which pg_dump backs up. */
function OfDatabase() {
  const {
    data: nodes,
    error,
    refetch,
  } = usePolled({
    queryKey: [areaOf(node.list), node.list.path],
    read: (manner) => send(node.list, {}, manner),
    everyMs: (data) => (data?.length === 0 ? false : QUIET_MS),
  })
  if (!nodes) return error && <Failed message={error.message} onRetry={refetch} />
  return nodes.length > 0 ? <Nodes nodes={nodes} /> : <Backups />
}

function Failed({ message, onRetry }: Readonly<{ message: string; onRetry: () => unknown }>) {
  return (
    <Card className="jobs-blank">
      <FailedState message={message} onRetry={() => void onRetry()} />
    </Card>
  )
}

function Waiting() {
  const { t } = useTranslation()
  return (
    <Card className="jobs-waiting" role="status" aria-label={t('state.loading')}>
      {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((line) => (
        <div key={line} className={Classes.SKELETON} />
      ))}
    </Card>
  )
}

/** Polling intervals while a job runs, and while none does, to see scheduled runs. */
const RUNNING_MS = 1000
const QUIET_MS = 5000

const useJobs = (): UseQueryResult<JobView[]> =>
  usePolled({
    queryKey: [areaOf(job.list), job.list.path],
    read: (manner) => send(job.list, {}, manner),
    everyMs: (data) => (data?.some(({ running, is_elsewhere }) => running || is_elsewhere) ? RUNNING_MS : QUIET_MS),
  })
