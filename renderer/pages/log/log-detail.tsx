import './log-detail.css'
import { Classes } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { role } from '../../../shared/enums.ts'
import { receiptOf } from '../../../shared/receipt.ts'
import { useUser } from '../../api/session.ts'
import { useBodyViewers, useStoredBodiesNote } from '../../api/use-bodies-note.ts'
import { CopyValue } from '../../components/copy-text/copy-value.tsx'
import { Count, groupDigits } from '../../components/count.tsx'
import { ErrorHelp } from '../../components/error-help/error-help.tsx'
import { ReceiptTable } from '../../components/receipt/receipt-table.tsx'
import { TimeText } from '../../components/time-text/time-text.tsx'
import { useDuration } from '../../components/use-duration.ts'
import { useTranslation } from '../../translation.ts'
import { Attempts, Skipped, skippedFor } from './attempts.tsx'
import { Bodies } from './bodies/bodies.tsx'
import { addressOf } from './log-address.ts'
import { channelText, durationOf, isRequest, type LogEntry, type LogFacts } from './log-facts.ts'
import { defaultFilter } from './log-filter.ts'
import { useEntryText } from './use-entry-text.ts'
import { useApiFormats, useEndings, useSources } from './value-texts.ts'

/**
 * All details of a row: how its charge was computed, and what happened to the request
 * (docs/reference/screens.md#usage-log).
 */
export function LogDetail({ row }: { row: LogEntry }) {
  const receipt = receiptOf(row)
  const maySee = useMaySeeBodies(row)
  const { facts } = row
  return (
    <div className="log-detail">
      {receipt && <ReceiptTable receipt={receipt} charged={row.quota} />}
      <Facts row={row} />
      {facts.bodies_kept && facts.request_id !== '' && maySee && <Bodies row={row} />}
    </div>
  )
}

type Fact = Readonly<{ id: string; title: string; value: ReactNode }>

function Facts({ row }: { row: LogEntry }) {
  const facts = useFacts(row).filter(({ value }) => value !== '' && value !== 0 && value !== null && value !== false)
  return (
    <dl className="log-detail-facts">
      {facts.map(({ id, title, value }) => (
        <div key={id}>
          <dt className={Classes.TEXT_MUTED}>{title}</dt>
          <dd className="tabular">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A link that finds and opens an entry of any date. */
function linkTo(requestId: string): string {
  const search = addressOf({
    filter: { ...defaultFilter(), requestId },
    sort: '',
    index: 0,
    size: undefined,
    open: [requestId],
  })
  return `${window.location.origin}/log?${search}`
}

function useFacts(row: LogEntry): readonly Fact[] {
  const { t } = useTranslation()
  const ending = useEndings()
  const source = useSources()
  const entry = useEntryText()
  const duration = useDuration()
  const format = useApiFormats()
  const bodiesNote = useStoredBodiesNote()
  const { facts } = row
  const took = durationOf(row)
  const request: Fact[] = [
    { id: 'ended', title: t('log.ended'), value: ending(facts.ended) },
    { id: 'source', title: t('log.source'), value: source(facts.usage_source) },
    { id: 'took', title: t('log.duration'), value: took !== undefined && duration(took) },
    { id: 'firstByte', title: t('log.firstByte'), value: facts.frt > 0 && duration(facts.frt) },
    {
      id: 'mapped',
      title: t('log.mapping'),
      value: facts.is_model_mapped && `${row.model_name} → ${facts.upstream_model_name}`,
    },
    { id: 'responseModel', title: t('log.responseModel'), value: facts.response_model },
    { id: 'format', title: t('log.upstreamFormat'), value: format(facts.admin_info.upstream_format) },
    { id: 'effort', title: t('log.effort'), value: facts.reasoning_effort },
    {
      id: 'reasoning',
      title: t('log.reasoning'),
      value: facts.reasoning_tokens > 0 && <Count of={facts.reasoning_tokens} />,
    },
    {
      id: 'limit',
      title: t('log.outputLimit'),
      value: facts.output_limit > 0 && t('log.outputLimitOf', { n: groupDigits(facts.output_limit) }),
    },
    {
      id: 'cache',
      title: t('log.cacheHit'),
      value: facts.cache_hit && t('log.cacheAge', { age: duration(facts.cache_hit_age * 1000) }),
    },
    { id: 'dropped', title: t('log.answerDropped'), value: facts.answer_dropped.join(', ') },
    { id: 'bodies', title: t('log.bodies'), value: facts.bodies_kept && bodiesNote },
    { id: 'error', title: t('log.errorCode'), value: errorOf(row) !== '' && <Failure row={row} /> },
    { id: 'folded', title: t('log.combined'), value: facts.folded.count > 1 && <Folded folded={facts.folded} /> },
    { id: 'channel', title: t('label.channel'), value: row.channel > 0 && channelText(row, row.channel) },
    { id: 'tried', title: t('log.tried'), value: facts.admin_info.tried.length > 0 && <Attempts row={row} /> },
    { id: 'skipped', title: t('log.skipped'), value: skippedFor(row).length > 0 && <Skipped row={row} /> },
  ]
  return [
    { id: 'content', title: t('log.content'), value: entry(row) },
    ...(isRequest(row) ? request : []),
    { id: 'ip', title: t('log.ip'), value: row.ip },
    {
      id: 'request',
      title: t('log.requestId'),
      value: facts.request_id && <CopyValue value={facts.request_id} label={t('log.copyRequestId')} />,
    },
    {
      id: 'link',
      title: t('log.link'),
      value: facts.request_id && (
        <CopyValue
          value={linkTo(facts.request_id)}
          shown={`…/log?request=${facts.request_id}`}
          label={t('log.copyLink')}
        />
      ),
    },
  ]
}

/** The number of failures that a row combines, and the times of the first and the last. */
function Folded({ folded: { count, first, last } }: { folded: LogFacts['folded'] }) {
  const { t } = useTranslation()
  return (
    <>
      {t('log.combinedCount', { n: count })} <TimeText at={first} isShort /> – <TimeText at={last} isShort />
    </>
  )
}

function Failure({ row }: { row: LogEntry }) {
  const ownId = useUser()?.id
  const { channel: id, model_name: model, group, facts } = row
  return (
    <>
      {errorOf(row)}
      <ErrorHelp
        code={facts.error_code}
        model={model}
        group={group}
        hasOwnToken={row.user_id === ownId && row.token_id > 0}
        channel={row.channelNames[id] ? { id, name: channelText(row, id) } : undefined}
      />
    </>
  )
}

const errorOf = ({ facts }: LogEntry): string =>
  [facts.error_code, facts.status_code > 0 ? `HTTP ${facts.status_code}` : ''].filter((part) => part !== '').join(' · ')

/**
 * Whether the user may view a row's stored bodies, by the gateway's rules
 * (docs/reference/bodies.md#viewers).
 */
function useMaySeeBodies(row: LogEntry): boolean {
  const viewers = useBodyViewers()
  const user = useUser()
  if (!user) return false
  if (user.role >= (viewers === 'root' ? role.root : role.admin)) return true
  return viewers === 'owner' && row.user_id === user.id
}
