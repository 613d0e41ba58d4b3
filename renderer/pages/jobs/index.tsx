import './jobs.css'
import { Card, Classes } from '@blueprintjs/core'
import { AutomaticUpdates } from '@blueprintjs/icons'
import { role } from '../../../shared/enums.ts'
import { useUser } from '../../api/session.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { FailedState } from '../../components/blank-state/failed-state.tsx'
import { later } from '../../components/later.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { StaleNote } from '../../components/stale-note/stale-note.tsx'
import { useTranslation } from '../../translation.ts'
import { JobItem } from './job-item.tsx'
import { useJobs } from './use-jobs.ts'

const Backups = later(async () => (await import('./backups/backups.tsx')).Backups)

/** What the gateway does by itself: how it went, when it will again, and a way to have it done now (docs/reference/jobs.md). */
export default function JobsPage() {
  const { t } = useTranslation()
  const { data, error, refetch, dataUpdatedAt } = useJobs()
  const isRoot = useUser()?.role === role.root
  return (
    <PageFrame title={t('page.jobs')}>
      <p className={`jobs-intro ${Classes.TEXT_MUTED}`}>{t('jobs.intro')}</p>
      {error && !data && (
        <Card className="jobs-blank">
          <FailedState message={error.message} onRetry={() => void refetch()} />
        </Card>
      )}
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
      {isRoot && <Backups />}
    </PageFrame>
  )
}

/** As tall as what comes. */
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
