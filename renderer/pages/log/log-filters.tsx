import './log-filters.css'
import { Button } from '@blueprintjs/core'
import { useState } from 'react'
import { logType, logTypeLabel } from '../../../shared/enums.ts'
import { FilterBar } from '../../components/filter-bar/filter-bar.tsx'
import { Select } from '../../components/select.tsx'
import { shownEnd } from '../../components/time-range/shown-end.ts'
import { TimeRange } from '../../components/time-range/time-range.tsx'
import { useTranslation } from '../../translation.ts'
import { defaultFilter, type LogFilter } from './log-filter.ts'
import { MoreFilters } from './more-filters.tsx'
import { SuggestingField } from './suggesting-field.tsx'
import { type KnownValues, useKnownUsers, useKnownValues } from './use-known-values.ts'

type LogFiltersProps = Readonly<{
  filter: LogFilter
  isAdmin: boolean
  onQuery: (filter: LogFilter) => void
}>

/** Row types as in docs/reference/logs.md#rows; 0 is all. */
const kinds = [0, ...Object.values(logType)]

/** The usage log's filters (docs/reference/screens.md#usage-log). */
export function LogFilters({ filter, isAdmin, onQuery }: LogFiltersProps) {
  const { t } = useTranslation()
  const { typed, set, expect } = useTyped(filter)
  const [isWanted, setWanted] = useState(false)
  const known = useKnownValues(isWanted, isAdmin)
  const texts = { typed, known, set, onFocus: () => setWanted(true) }
  const submit = (next: LogFilter) => {
    expect(next)
    onQuery(next)
  }
  const send = () => submit(submitted(typed))
  return (
    <FilterBar onQuery={send}>
      <Select
        aria-label={t('label.type')}
        value={typed.type}
        onChange={(event) => set({ type: Number(event.currentTarget.value) })}
        options={kinds.map((value) => ({ value, label: t(logTypeLabel(value)) }))}
      />
      <TimeRange start={typed.start} end={typed.end} onChange={({ start, end }) => set({ start, end })} />
      <Texts {...texts} />
      {isAdmin && <AdminTexts {...texts} />}
      <MoreFilters typed={typed} set={set} isAdmin={isAdmin} onSend={send} />
      <Button variant="minimal" text={t('label.reset')} data-applies onClick={() => set(defaultFilter())} />
    </FilterBar>
  )
}

/** Input over the current filter; `next` is submitted but not yet shown. */
type Draft = Readonly<{ of: LogFilter; typed: LogFilter; next?: LogFilter }>

/**
 * The values of the fields: reset to the current filter whenever that changes, except for input made while the
 * submitted filter was loading.
 */
function useTyped(filter: LogFilter) {
  const [draft, setDraft] = useState(() => draftOf(filter))
  const current = draft.of === filter ? draft : following(draft, filter)
  if (current !== draft) setDraft(current)
  return {
    typed: current.typed,
    set: (change: Partial<LogFilter>) => setDraft((latest) => ({ ...latest, typed: { ...latest.typed, ...change } })),
    expect: (next: LogFilter) => setDraft({ ...draftOf(next), of: filter, next }),
  }
}

function following({ next, typed }: Draft, filter: LogFilter): Draft {
  const isExpected = next !== undefined && filterNames.every((name) => next[name] === filter[name])
  return isExpected ? { of: filter, typed } : draftOf(filter)
}

function draftOf(filter: LogFilter): Draft {
  const end = filter.end ?? (filter.start === undefined ? undefined : shownEnd())
  return { of: filter, typed: { ...filter, end } }
}

const filterNames = Object.keys(defaultFilter()) as (keyof LogFilter)[] // the filter's own names

type TextsProps = Readonly<{
  typed: LogFilter
  known: KnownValues
  set: (change: Partial<LogFilter>) => void
  onFocus: () => void
}>

function Texts({ typed, known, set, onFocus }: TextsProps) {
  const { t } = useTranslation()
  return (['token', 'model', 'group'] as const).map((name) => (
    <SuggestingField
      key={name}
      label={t(`label.${name}`)}
      hint={t('log.containsHint')}
      value={typed[name]}
      onValue={(value) => set({ [name]: value })}
      known={known[`${name}s`]}
      onFocus={onFocus}
    />
  ))
}

/** Filters for administrators; channel ids are suggested by name. */
function AdminTexts({ typed, known, set, onFocus }: TextsProps) {
  const { t } = useTranslation()
  const { channel, username } = typed
  const [isNaming, setNaming] = useState(false)
  const users = useKnownUsers(isNaming, username)
  return (
    <>
      <SuggestingField
        label={t('log.channelId')}
        isLong
        inputMode="numeric"
        value={channel === 0 ? '' : String(channel)}
        onValue={(digits) => set({ channel: Number(digits.replace(/\D/g, '').slice(0, 15)) })}
        known={known.channels}
        onFocus={onFocus}
      />
      <SuggestingField
        label={t('log.username')}
        isLong
        hint={t('log.containsHint')}
        value={username}
        onValue={(text) => set({ username: text })}
        known={users}
        onFocus={() => setNaming(true)}
      />
    </>
  )
}

/** The submitted filter: trimmed texts, and no end if it is in the future, so that the list continues. */
function submitted(filter: LogFilter): LogFilter {
  const { end } = filter
  return {
    ...filter,
    end: end !== undefined && end * 1000 > Date.now() ? undefined : end,
    token: filter.token.trim(),
    model: filter.model.trim(),
    group: filter.group.trim(),
    username: filter.username.trim(),
    requestId: filter.requestId.trim(),
  }
}
