import './log.css'
import { Button } from '@blueprintjs/core'
import { Duplicate, History } from '@blueprintjs/icons'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { log } from '../../../shared/api/log.ts'
import { role } from '../../../shared/enums.ts'
import { useUser } from '../../api/session.ts'
import { areaOf } from '../../api/use-call.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { useColumnChoice } from '../../components/column-settings/use-column-choice.tsx'
import { useCopy } from '../../components/copy-text/use-copy.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { PageTable } from '../../components/page-table/page-table.tsx'
import { useLogColumns } from './columns.tsx'
import { LogBadges } from './log-badges.tsx'
import { LogDetail } from './log-detail.tsx'
import { keyOf, type LogEntry } from './log-facts.ts'
import { defaultFilter, isFiltered, type LogFilter } from './log-filter.ts'
import { LogFilters } from './log-filters.tsx'
import { useLogs } from './use-logs.ts'

/** The usage log: one's own, and everybody's for administrators (docs/reference/screens.md#usage-log). */
export default function LogPage() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const isAdmin = (useUser()?.role ?? role.visitor) >= role.admin
  const [filter, setFilter] = useState(defaultFilter)
  const page = useLogs(filter, isAdmin)
  const { visible, settings } = useColumnChoice('logs-table-columns', useLogColumns(isAdmin))
  const view = useMemo(
    () => ({
      label: t('label.usageLogs'),
      columns: visible,
      keyOf,
      actions: (row: LogEntry) => <CopyRequestId id={row.facts.request_id} />,
      detail: (row: LogEntry) => <LogDetail row={row} />,
    }),
    [t, visible],
  )
  const query = (next: LogFilter) => {
    setFilter(next)
    // Asking once more brings what is new.
    void queries.invalidateQueries({ queryKey: [areaOf(log.list)] })
  }
  return (
    <PageFrame title={t('label.usageLogs')} filters={<LogFilters filter={filter} isAdmin={isAdmin} onQuery={query} />}>
      <div className="log-line">
        <LogBadges filter={filter} isAdmin={isAdmin} />
        {settings}
      </div>
      <div className="log-list">
        <PageTable view={view} page={page} empty={<Nothing isFiltered={isFiltered(filter)} />} />
      </div>
    </PageFrame>
  )
}

/** Nothing was logged, or nothing that fits. */
function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const { t } = useTranslation()
  const icon = <History size={48} />
  if (isFiltered) return <BlankState icon={icon} title={t('log.noMatch')} description={t('log.noMatchHint')} />
  const start = <LinkButton to="/playground" text={t('log.tryModel')} intent="primary" isFilled />
  return <BlankState icon={icon} title={t('log.none')} description={t('log.noneHint')} action={start} />
}

function CopyRequestId({ id }: { id: string }) {
  const { t } = useTranslation()
  const { copy, dialog } = useCopy()
  if (!id) return null
  return (
    <>
      <Button
        size="small"
        variant="minimal"
        icon={<Duplicate />}
        aria-label={t('log.copyRequestId')}
        title={t('log.copyRequestId')}
        onClick={() => copy(id)}
      />
      {dialog}
    </>
  )
}
