import { Button, Card, Classes, H2, type Intent, ProgressBar, Tag } from '@blueprintjs/core'
import { ChevronDown, ChevronUp, Cross } from '@blueprintjs/icons'
import { useId, useState } from 'react'
import { Link } from 'react-router-dom'
import { channelRuns, type Run, type RunItem } from '../../../../shared/api/channel-runs.ts'
import { useSend } from '../../../api/use-call.ts'
import { StatusTag } from '../../../components/status-tag/status-tag.tsx'
import { TimeText } from '../../../components/time-text/time-text.tsx'
import { useTranslation } from '../../../translation.ts'
import { countsOf, isGoing, noteworthyOf, type RunCounts } from './run-facts.ts'

type RunCardProps = Readonly<{
  run: Run
  /** The last progress request failed. */
  isLost: boolean
  onDismiss: () => void
}>

/** The progress of a run over all channels and its notable results; one summary line once it has ended. */
export function RunCard(props: RunCardProps) {
  return isGoing(props.run) ? <GoingRun {...props} /> : <EndedRun {...props} />
}

function GoingRun({ run, isLost }: RunCardProps) {
  const { t } = useTranslation()
  const titleId = useId()
  const name = t(`run.title.${run.kind}`)
  const counts = countsOf(run)
  const intent = intentOf(run, counts)
  return (
    <Card className="run-card" role="region" aria-labelledby={titleId}>
      <div className="run-card-head">
        <H2 id={titleId} className="run-card-title">
          {name}
        </H2>
        <span role="status">
          <StatusTag intent={intent} text={t(`run.state.${run.state}`)} />
        </span>
        <span className="run-card-end" />
        <CancelButton run={run} name={name} />
      </div>
      <ProgressBar
        aria-labelledby={titleId}
        value={run.total === 0 ? 0 : run.items.length / run.total}
        intent={intent}
        animate={false}
        stripes={false}
      />
      <Summary run={run} counts={counts} />
      {isLost && <div className={Classes.TEXT_MUTED}>{t('run.lost')}</div>}
      <RunItems run={run} label={t('run.list')} />
    </Card>
  )
}

/** One line; the channels to look at are behind a button. */
function EndedRun({ run, onDismiss }: RunCardProps) {
  const { t } = useTranslation()
  const titleId = useId()
  const [isOpen, setOpen] = useState(false)
  const name = t(`run.title.${run.kind}`)
  const counts = countsOf(run)
  const n = noteworthyOf(run).length
  return (
    <Card className="run-card run-card-ended" role="region" aria-labelledby={titleId}>
      <div className="run-card-head">
        <H2 id={titleId} className="run-card-title">
          {name}
        </H2>
        <span role="status">
          <StatusTag intent={intentOf(run, counts)} text={t(`run.state.${run.state}`)} />
        </span>
        <Summary run={run} counts={counts} />
        <div className="run-card-tools">
          <span className={`run-card-end ${Classes.TEXT_MUTED}`}>
            <TimeText at={run.ended_at} isShort />
          </span>
          {n > 0 && (
            <Button
              variant="minimal"
              endIcon={isOpen ? <ChevronUp /> : <ChevronDown />}
              text={t('run.review', { n })}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            />
          )}
          <Button variant="minimal" icon={<Cross />} aria-label={t('run.dismiss', { name })} onClick={onDismiss} />
        </div>
      </div>
      {run.state === 'failed' && <div>{t('run.aborted')}</div>}
      {isOpen && <RunItems run={run} label={t('run.list')} />}
    </Card>
  )
}

/** Cancels a run: channels in progress are still finished, and the button is disabled until then. */
function CancelButton({ run, name }: { run: Run; name: string }) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(channelRuns.cancelRun)
  return (
    <Button
      text={t('label.cancel')}
      aria-label={t('run.cancel', { name })}
      disabled={run.state === 'cancelling'}
      loading={isPending}
      onClick={() => mutate({ params: { kind: run.kind } })}
    />
  )
}

/** Counts of finished channels by result; zero counts are omitted. */
function Summary({ run, counts }: { run: Run; counts: RunCounts }) {
  const { t } = useTranslation()
  if (run.total === 0 && !isGoing(run)) return <div className={Classes.TEXT_MUTED}>{t('run.nothing')}</div>
  const parts = (['worked', 'failed', 'off', 'on'] as const)
    .filter((part) => counts[part] > 0)
    .map((part) => t(`run.${part}`, { n: counts[part] }))
  const progress = t('run.progress', { n: run.items.length, total: run.total })
  return <div className="tabular">{[progress, ...parts].join(' · ')}</div>
}

/**
 * Blue while running, red if the run failed, yellow if it is being or was cancelled or if a channel failed, else green.
 */
function intentOf({ state }: Run, { failed }: RunCounts): Intent {
  if (state === 'running') return 'primary'
  if (state === 'failed') return 'danger'
  return state === 'done' && failed === 0 ? 'success' : 'warning'
}

/** The channels of a run that failed or were switched, in order of completion; each links to its editor. */
function RunItems({ run, label }: { run: Run; label: string }) {
  const items = noteworthyOf(run)
  if (items.length === 0) return null
  return (
    <ul className="run-items" aria-label={label}>
      {items.map((item) => (
        <li key={item.channel_id}>
          <Link to={`/channel/edit/${item.channel_id}`}>{item.name}</Link>
          <ItemMessage item={item} />
          <Switched item={item} />
        </li>
      ))}
    </ul>
  )
}

/** The vendor's message, or that a re-enabled channel responds. */
function ItemMessage({ item: { ok, message } }: { item: RunItem }) {
  const { t } = useTranslation()
  return <span className="run-items-words">{message || (ok ? t('run.responding') : '')}</span>
}

function Switched({ item: { switched } }: { item: RunItem }) {
  const { t } = useTranslation()
  if (switched === '') return null
  const isOff = switched === 'off'
  return (
    <Tag minimal intent={isOff ? 'warning' : 'success'}>
      {isOff ? t('run.switchedOff') : t('run.switchedOn')}
    </Tag>
  )
}
