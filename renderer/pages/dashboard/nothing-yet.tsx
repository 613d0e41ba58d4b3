import { Card } from '@blueprintjs/core'
import { Chart } from '@blueprintjs/icons'
import type { DashboardLive, DashboardSummary } from '../../../shared/api/data.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { useTranslation } from '../../translation.ts'
import type { DashboardFilter } from './dashboard-filter.ts'
import type { ShownRows } from './use-dashboard.ts'

/** Whether there is no usage at all, as far as range and account show. */
export function hasNothing(
  summary: DashboardSummary | undefined,
  shown: ShownRows | undefined,
  live: DashboardLive | undefined,
  { start, end, username }: DashboardFilter,
): boolean {
  const isNarrowed = start !== undefined || end !== undefined || username !== ''
  if (!summary || !shown || !live || isNarrowed || shown.rows.length > 0) return false
  const { today, yesterday, account } = summary
  const isQuiet = today.count + today.errors + yesterday.count + yesterday.errors === 0
  return isQuiet && (account?.request_count ?? 0) === 0
}

type NothingYetProps = Readonly<{ isAdmin: boolean; channels: DashboardLive['channels'] }>

/** The first step: administrators connect a provider, other users a client. */
export function NothingYet({ isAdmin, channels }: NothingYetProps) {
  const { t } = useTranslation()
  const needsProvider = isAdmin && channels?.total === 0
  const go = needsProvider ? (
    <LinkButton to="/connect/provider" text={t('page.connectProvider')} intent="primary" isFilled />
  ) : (
    <LinkButton to="/connect/client" text={t('page.connectClient')} intent="primary" isFilled />
  )
  return (
    <Card>
      <BlankState
        icon={<Chart size={48} />}
        title={t('dash.nothing')}
        description={t(needsProvider ? 'dash.nothingProvider' : 'dash.nothingClient')}
        action={go}
      />
    </Card>
  )
}
