import './log.css'
import { Button, Callout, Classes, Switch } from '@blueprintjs/core'
import { Bookmark, Duplicate, History } from '@blueprintjs/icons'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { log } from '../../../shared/api/log.ts'
import { role } from '../../../shared/enums.ts'
import { useUser } from '../../api/session.ts'
import { areaOf } from '../../api/use-call.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { NoMatch } from '../../components/blank-state/no-match.tsx'
import { useColumnChoice } from '../../components/column-settings/use-column-choice.tsx'
import { useCopy } from '../../components/copy-text/use-copy.tsx'
import { formatShortTime } from '../../components/date-time.ts'
import { later, onceOpen } from '../../components/later.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { FrameButton } from '../../components/page-frame/frame-button.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { type Column, type ListView, PageTable } from '../../components/page-table/page-table.tsx'
import { ReturnedPayment } from '../../components/payment-state/returned-payment.tsx'
import { useCardWidth } from '../../components/use-narrow.ts'
import { PageLinks } from '../../shell/page-links.tsx'
import { useTranslation } from '../../translation.ts'
import { useLogColumns } from './columns.tsx'
import { ExportMenu } from './export-menu.tsx'
import { LogBadges } from './log-badges.tsx'
import { LogCard } from './log-card.tsx'
import { keyOf, type LogEntry } from './log-facts.ts'
import { isFiltered, type LogFilter, unfiltered } from './log-filter.ts'
import { LogFilters } from './log-filters.tsx'
import { useOptionNames } from './use-entry-text.ts'
import { type Live, useLive } from './use-live.ts'
import { useLogs } from './use-logs.ts'
import { type ShowingLog, useShownLog } from './use-shown-log.ts'
import { ValueMenu } from './value-menu.tsx'

const LogDetail = later(async () => (await import('./log-detail.tsx')).LogDetail)

/** The usage log: one's own, or everyone's for administrators (docs/reference/screens.md#usage-log). */
export default function LogPage() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const isAdmin = (useUser()?.role ?? role.visitor) >= role.admin
  const shown = useShownLog()
  const { filter, open, position, sorting } = shown
  const sorted = useMemo(() => ({ ...filter, sort: sorting.order }), [filter, sorting])
  const [hasMenu, setMenu] = useState(false)
  const live = useLive(shown, hasMenu)
  const page = useLogs({ filter: sorted, position, everyMs: live.everyMs }, isAdmin)
  useOptionNames(page.rows)
  const { visible, settings } = useColumnChoice('logs-table-columns', useLogColumns(isAdmin))
  const view = useLogList(visible, shown)
  const query = (next: LogFilter) => {
    shown.narrow(next)
    // Querying again reloads the list.
    void queries.invalidateQueries({ queryKey: [areaOf(log.list)] })
  }
  return (
    <PageFrame
      title={t('label.usageLogs')}
      action={<PageLinks on="/log" hasSelf />}
      filters={<LogFilters filter={filter} isAdmin={isAdmin} onQuery={query} />}
      isWide
    >
      <ReturnedPayment />
      <div className="log-line">
        <LogBadges filter={filter} isAdmin={isAdmin} everyMs={live.everyMs} />
        <div className="log-line-end">
          <LiveSwitch live={live} />
          <SavedFilters filter={filter} onFilter={query} />
          <ExportMenu filter={filter} isAdmin={isAdmin} />
          {settings}
        </div>
      </div>
      {!page.isLoading && !page.isTurning && <MissingEntry open={open} rows={page.rows} onFind={shown.find} />}
      <div className="log-list">
        <ValueMenu onFilter={(change) => shown.narrow({ ...filter, ...change })} onOpen={setMenu}>
          <PageTable
            view={view}
            page={page}
            empty={<Nothing isFiltered={isFiltered(filter)} onClear={() => query(unfiltered(filter))} />}
          />
        </ValueMenu>
      </div>
    </PageFrame>
  )
}

function useLogList(visible: readonly Column<LogEntry>[], { open, toggle, sorting }: ShowingLog): ListView<LogEntry> {
  const { t } = useTranslation()
  const isNarrow = useCardWidth()
  return useMemo(() => {
    const columns = new Set(visible.map(({ id }) => id))
    return {
      label: t('label.usageLogs'),
      columns: visible,
      keyOf,
      // A choice above the cards would take the place of an entry.
      ...(isNarrow ? {} : { sorting }),
      // An id is meaningless when read aloud.
      nameOf: (row) => `${formatShortTime(row.created_at)} ${row.model_name}`.trim(),
      opened: { keys: new Set(open), toggle: (key) => toggle(String(key)) },
      card: (row) => <LogCard row={row} columns={columns} />,
      actions: (row) => <CopyRequestId id={row.facts.request_id} />,
      detail: (row) => <LogDetail row={row} />,
    }
  }, [t, visible, open, toggle, sorting, isNarrow])
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const { t } = useTranslation()
  const icon = <History size={48} />
  const miss = { icon, title: t('log.noMatch'), description: t('log.noMatchHint'), onClear }
  if (isFiltered) return <NoMatch {...miss} />
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

function LiveSwitch({ live: { isOn, isPaused, set } }: { live: Live }) {
  const { t } = useTranslation()
  return (
    <span className="log-live">
      <Switch
        className="log-live-switch"
        label={t('log.live')}
        title={t('log.liveHint')}
        checked={isOn}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
      <span role="status" className={`${Classes.TEXT_MUTED} ${Classes.TEXT_SMALL}`}>
        {isPaused && t('log.livePaused')}
      </span>
    </span>
  )
}

const SavedFiltersDialog = onceOpen(async () => (await import('./saved-filters-dialog.tsx')).SavedFiltersDialog)

type SavedFiltersProps = Readonly<{ filter: LogFilter; onFilter: (filter: LogFilter) => void }>

function SavedFilters(props: SavedFiltersProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <FrameButton icon={<Bookmark />} label={t('log.saved')} onClick={() => setOpen(true)} />
      <SavedFiltersDialog isOpen={isOpen} onClose={() => setOpen(false)} {...props} />
    </>
  )
}

type MissingEntryProps = Readonly<{
  open: readonly string[]
  rows: readonly LogEntry[]
  onFind: (requestId: string) => void
}>

/** Shown if a row named in the address is no longer on the page, because newer rows have pushed it off. */
function MissingEntry({ open, rows, onFind }: MissingEntryProps) {
  const { t } = useTranslation()
  const there = new Set(rows.map(keyOf))
  // Rows without a request id cannot be searched.
  const absent = open.find((key) => !there.has(key) && !key.startsWith('row-'))
  if (absent === undefined) return null
  return (
    <Callout compact intent="primary" className="log-absent">
      {t('log.absent')} <Button size="small" text={t('log.showEntry')} onClick={() => onFind(absent)} />
    </Callout>
  )
}
