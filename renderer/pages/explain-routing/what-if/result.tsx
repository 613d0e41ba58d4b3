import { Button, Callout, Card, Classes } from '@blueprintjs/core'
import { History } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { routing } from '../../../../shared/api/routing.ts'
import type { WhatIfReport } from '../../../../shared/api/what-if.ts'
import { send } from '../../../api/client.ts'
import { BlankState } from '../../../components/blank-state/blank-state.tsx'
import { FailedState } from '../../../components/blank-state/failed-state.tsx'
import { useCompact } from '../../../components/use-narrow.ts'
import { useTranslation } from '../../../translation.ts'
import { Apply } from './apply.tsx'
import { Assumptions } from './assumptions.tsx'
import { ChannelCards } from './channel-cards.tsx'
import { ChannelTable } from './channel-table.tsx'
import { Findings } from './findings.tsx'
import { Models } from './models.tsx'
import { Totals } from './totals.tsx'
import type { AskedWhatIf } from './what-if.tsx'

type ResultProps = Readonly<{
  asked: AskedWhatIf
  /** The form says something else by now. */
  isStale: boolean
  onSettled: () => void
  onAgain: () => void
  onApplied: () => void
}>

/** The answer in one of its states. It is worked out once: leaving or canceling ends the work at the gateway as well. */
export function Result({ asked, isStale, onSettled, onAgain, onApplied }: ResultProps) {
  const { t } = useTranslation()
  const { data, error, isPending } = useQuery({
    queryKey: ['what-if', asked.number, asked.body],
    queryFn: ({ signal }) => send(routing.whatIf, { body: asked.body }, { quiet: true, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  useEffect(() => {
    if (!isPending) onSettled()
  }, [isPending, onSettled])
  if (error)
    return (
      <Card className="explain-blank">
        <FailedState message={error.message} onRetry={onAgain} />
      </Card>
    )
  if (!data) return <Working />
  if (data.calls === 0) return <Nothing report={data} />
  return (
    <>
      {isStale && (
        <Callout intent="primary" className="what-if-stale">
          {t('whatIf.stale')} <Button variant="minimal" intent="primary" text={t('whatIf.ask')} onClick={onAgain} />
        </Callout>
      )}
      <Report report={data} />
      <Apply draft={asked.draft} onApplied={onApplied} />
    </>
  )
}

function Report({ report }: { report: WhatIfReport }) {
  const { t } = useTranslation()
  const Channels = useCompact() ? ChannelCards : ChannelTable
  return (
    <>
      <Findings report={report} />
      <Totals report={report} />
      <Channels channels={report.channels} />
      <Models title={t('whatIf.lost')} models={report.lost} all={report.lost_models} />
      <Models title={t('whatIf.gained')} models={report.gained} all={report.gained_models} />
      <Assumptions report={report} />
    </>
  )
}

/** Nobody asked for anything in that time. */
function Nothing({ report: { refused, cached } }: { report: WhatIfReport }) {
  const { t } = useTranslation()
  const left = refused + cached > 0 ? t('whatIf.nothingRouted', { refused, cached }) : t('whatIf.nothingHint')
  return (
    <Card className="explain-blank" role="status">
      <BlankState icon={<History size={48} />} title={t('whatIf.nothing')} description={left} />
    </Card>
  )
}

function Working() {
  const { t } = useTranslation()
  return (
    <Card className="explain-waiting" role="status" aria-label={t('whatIf.working')}>
      {['a', 'b', 'c', 'd', 'e', 'f'].map((line) => (
        <div key={line} className={Classes.SKELETON} />
      ))}
    </Card>
  )
}
