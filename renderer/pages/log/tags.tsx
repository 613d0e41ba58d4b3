import './tags.css'
import { Button, PopoverNext, Tag, Tooltip } from '@blueprintjs/core'
import { Route } from '@blueprintjs/icons'
import { useTranslation } from 'react-i18next'
import { logType, logTypeLabel } from '../../../shared/enums.ts'
import { Band } from '../../components/band/band.tsx'
import { firstTokenSteps, useTimeSteps } from '../../components/band/bands.ts'
import { useCopy } from '../../components/copy-text/use-copy.tsx'
import type { TagColour } from '../../components/hash-tag/colour-of.ts'
import { HashTag } from '../../components/hash-tag/hash-tag.tsx'
import type { LogEntry } from './log-facts.ts'

/** The kind of an entry in the colours of docs/reference/screens.md#usage-log. */
export function TypeTag({ type }: { type: number }) {
  const { t } = useTranslation()
  return <HashTag text={t(logTypeLabel(type))} colour={typeColours.get(type) ?? 'grey'} />
}

const typeColours: ReadonlyMap<number, TagColour> = new Map<number, TagColour>([
  [logType.topUp, 'cyan'],
  [logType.consume, 'lime'],
  [logType.manage, 'orange'],
  [logType.system, 'purple'],
  [logType.error, 'red'],
])

/** The channel's id in its colour; its name on hover. */
export function ChannelTag({ row }: { row: LogEntry }) {
  const tag = <HashTag text={String(row.channel)} />
  return row.channel_name ? <Tooltip content={row.channel_name}>{tag}</Tooltip> : tag
}

/** A group as docs/reference/screens.md#formats-and-colours colours it; a click copies its name. */
export function GroupTag({ group }: { group: string }) {
  const { t } = useTranslation()
  const { copy, dialog } = useCopy()
  const colour = groupColours.get(group)
  const name = group || t('label.userGroup')
  return (
    <>
      <button type="button" className="log-copy" title={t('log.copyText', { text: name })} onClick={() => copy(name)}>
        {colour ? <HashTag text={name} colour={colour} /> : <HashTag text={name} />}
      </button>
      {dialog}
    </>
  )
}

const groupColours: ReadonlyMap<string, TagColour> = new Map<string, TagColour>([
  ['', 'orange'],
  ['vip', 'yellow'],
  ['pro', 'yellow'],
  ['svip', 'red'],
  ['premium', 'red'],
])

/** The model that was asked for; a click copies it. Where a mapping changed it, a button tells what was really called. */
export function ModelTag({ row }: { row: LogEntry }) {
  const { t } = useTranslation()
  const { copy, dialog } = useCopy()
  const { model_name: billed, facts } = row
  if (!billed) return null
  const both = (
    <dl className="log-mapped">
      <dt>{t('log.billedModel')}</dt>
      <dd>{billed}</dd>
      <dt>{t('log.actualModel')}</dt>
      <dd>{facts.upstream_model_name}</dd>
    </dl>
  )
  return (
    <span className="log-tags">
      <button
        type="button"
        className="log-copy"
        title={t('log.copyText', { text: billed })}
        onClick={() => copy(billed)}
      >
        <HashTag text={billed} />
      </button>
      {facts.is_model_mapped && (
        <PopoverNext content={both}>
          <Button size="small" variant="minimal" icon={<Route size={12} />} aria-label={t('log.mapping')} />
        </PopoverNext>
      )}
      {dialog}
    </span>
  )
}

/** The tag of an answer that came in one piece. */
function Whole() {
  const { t } = useTranslation()
  return (
    <Tag minimal htmlTitle={t('log.nonStreamHint')}>
      {t('log.nonStream')}
    </Tag>
  )
}

/**
 * How long it took, how long the first byte took, and whether it was streamed
 * (docs/reference/screens.md#formats-and-colours).
 */
export function TimingTags({ row: { use_time, is_stream, facts } }: { row: LogEntry }) {
  const { t } = useTranslation()
  const seconds = (digits: number) => (value: number) => t('log.seconds', { n: value.toFixed(digits) })
  return (
    <span className="log-tags">
      <Band value={use_time} steps={useTimeSteps} format={seconds(0)} />
      {is_stream && facts.frt > 0 && <Band value={facts.frt / 1000} steps={firstTokenSteps} format={seconds(1)} />}
      {is_stream ? <Tag minimal>{t('log.stream')}</Tag> : <Whole />}
    </span>
  )
}
