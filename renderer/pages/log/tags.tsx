import './tags.css'
import { Button } from '@blueprintjs/core'
import { Feed, Route } from '@blueprintjs/icons'
import { logType, logTypeLabel } from '../../../shared/enums.ts'
import { Band } from '../../components/band/band.tsx'
import { firstTokenSteps, useTimeSteps } from '../../components/band/bands.ts'
import { useGroupName } from '../../components/group-name.ts'
import { colourOf, type TagColour } from '../../components/hash-tag/colour-of.ts'
import { HashTag } from '../../components/hash-tag/hash-tag.tsx'
import { Popover } from '../../components/popover/popover.tsx'
import { RowTag } from '../../components/row-tag.tsx'
import { useDuration } from '../../components/use-duration.ts'
import { useTranslation } from '../../translation.ts'
import { channelText, durationOf, type LogEntry, retriesOf } from './log-facts.ts'
import { ValueButton } from './value-menu.tsx'

/** An entry's type in the colours of docs/reference/screens.md#usage-log; nothing for the usual one, usage. */
export function TypeTag({ type }: { type: number }) {
  const { t } = useTranslation()
  if (type === logType.consume) return null
  return <HashTag text={t(logTypeLabel(type))} colour={typeColours.get(type) ?? 'grey'} />
}

const typeColours: ReadonlyMap<number, TagColour> = new Map<number, TagColour>([
  [logType.topUp, 'cyan'],
  [logType.manage, 'orange'],
  [logType.system, 'purple'],
  [logType.error, 'red'],
])

export function StoredBodiesTag({ row: { facts } }: { row: LogEntry }) {
  const { t } = useTranslation()
  if (!facts.bodies_kept) return null
  return <RowTag title={t('log.bodiesKeptHint')}>{t('log.bodiesKept')}</RowTag>
}

export function ChannelTag({ row }: { row: LogEntry }) {
  const { channel: id, channel_name: name } = row
  return (
    <ValueButton value={{ kind: 'channel', name, id }}>
      <HashTag text={channelText(row, id)} colour={colourOf(String(id))} />
    </ValueButton>
  )
}

/** A group in the colours of docs/reference/screens.md#formats-and-colors. */
export function GroupTag({ group }: { group: string }) {
  const nameOf = useGroupName()
  const colour = groupColours.get(group)
  return (
    <ValueButton value={{ kind: 'group', name: group }}>
      <HashTag text={nameOf(group)} colour={colour ?? colourOf(group)} />
    </ValueButton>
  )
}

const groupColours: ReadonlyMap<string, TagColour> = new Map<string, TagColour>([
  ['vip', 'yellow'],
  ['pro', 'yellow'],
  ['svip', 'red'],
  ['premium', 'red'],
])

/** A token's or user's name, truncated if long; its menu shows it in full. */
export function NameButton({ kind, name, id }: { kind: 'token' | 'user'; name: string; id?: number }) {
  if (name === '') return null
  return (
    <ValueButton value={{ kind, name, ...(id === undefined ? {} : { id }) }}>
      <span className="log-name">{name}</span>
    </ValueButton>
  )
}

/** The requested model. If it was mapped, a button shows the model actually called. */
export function ModelTag({ row }: { row: LogEntry }) {
  const { t } = useTranslation()
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
      <ValueButton value={{ kind: 'model', name: billed }}>
        <HashTag text={billed} />
      </ValueButton>
      {facts.is_model_mapped && (
        <Popover content={both}>
          <Button size="small" variant="minimal" icon={<Route size={12} />} aria-label={t('log.mapping')} />
        </Popover>
      )}
    </span>
  )
}

/** Ids of the channels called, if more than one; their names on hover. */
export function RetryText({ row }: { row: LogEntry }) {
  const ids = retriesOf(row)
  if (ids.length === 0) return null
  return (
    <span className="tabular" title={ids.map((id) => channelText(row, id)).join(' → ')}>
      {ids.join('->')}
    </span>
  )
}

/**
 * The duration of a request; for a streamed response also the time to its first byte, and an icon
 * (docs/reference/screens.md#formats-and-colors).
 */
export function TimingTags({ row }: { row: LogEntry }) {
  const { t } = useTranslation()
  const duration = useDuration()
  const { is_stream: isStream, facts } = row
  const took = durationOf(row)
  const inSeconds = (seconds: number) => duration(seconds * 1000)
  return (
    <span className="log-tags">
      {took === undefined ? (
        <Band value={0} steps={useTimeSteps} format={() => t('log.underSecond')} />
      ) : (
        <Band value={took / 1000} steps={useTimeSteps} format={inSeconds} />
      )}
      {isStream && facts.frt > 0 && <Band value={facts.frt / 1000} steps={firstTokenSteps} format={inSeconds} />}
      {isStream && (
        <span className="log-stream" role="img" aria-label={t('log.stream')} title={t('log.stream')}>
          <Feed size={12} />
        </span>
      )}
    </span>
  )
}
