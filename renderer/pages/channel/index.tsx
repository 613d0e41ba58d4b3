import './channel.css'
import { Button, Menu, MenuItem } from '@blueprintjs/core'
import { DataLineage, Disable, Edit, More, Plus, Tick } from '@blueprintjs/icons'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { type ChannelView, channel as calls } from '../../../shared/api/channel.ts'
import { role } from '../../../shared/enums.ts'
import { useUser } from '../../api/session.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { NoMatch } from '../../components/blank-state/no-match.tsx'
import { useColumnChoice } from '../../components/column-settings/use-column-choice.tsx'
import { useAddressFilter } from '../../components/filter-bar/use-address-filter.ts'
import { later } from '../../components/later.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { type ListView, PageTable } from '../../components/page-table/page-table.tsx'
import { SelectionBar } from '../../components/page-table/selection-bar.tsx'
import { useSelection } from '../../components/page-table/use-selection.ts'
import { useSorting } from '../../components/page-table/use-sorting.ts'
import { PageLinks } from '../../shell/page-links.tsx'
import { useTranslation } from '../../translation.ts'
import { editPath, fromList, localPath, newPath } from './addresses.ts'
import { Drawers } from './drawers.tsx'
import { ChannelFilters } from './list/channel-filters.tsx'
import { hiddenAtFirst, useChannelColumns } from './list/columns.tsx'
import { isOn, isTag, keyOf, type Row, type TagRow } from './list/row.ts'
import { RowMenu } from './list/row-menu.tsx'
import { Toolbar } from './list/toolbar.tsx'
import { ActivityOf } from './list/use-activity.tsx'
import { type ChannelFilter, isFiltered, noFilter, useChannels, useListMode } from './list/use-channels.ts'
import { useFreshCooldowns } from './list/use-cooldowns.ts'
import './runs/run-cards.css'
import { useSend } from '../../api/use-call.ts'
import { showSuccess } from '../../components/toasts.ts'
import { useShownRuns } from './runs/use-runs.ts'
import './list/row-menu.css'
import { Popover } from '../../components/popover/popover.tsx'

const BatchActions = later(async () => (await import('./list/batch-actions.tsx')).BatchActions)
const DeleteConfirmation = later(async () => (await import('./list/delete-confirmation.tsx')).DeleteConfirmation)

/**
 * The channels, for administrators (docs/reference/screens.md#channels). The toolbar is hidden after the last channel
 * is deleted, but stays mounted, so that it can report the deletion.
 */
export default function ChannelPage() {
  const { t } = useTranslation()
  const [filter, setFilter] = useAddressFilter(noFilter)
  const open = useOpenForm()
  const [tag, setTag] = useState<TagRow>()
  const [deleting, setDeleting] = useState<ChannelView>()
  const mode = useListMode()
  const page = useChannels(filter, mode)
  const sorting = useSorting(filter, setFilter)
  const readCooldowns = useFreshCooldowns()
  const selection = useSelection()
  const { visible, settings } = useColumnChoice('channels-table-columns', useChannelColumns(), hiddenAtFirst)
  const view = useMemo(
    () =>
      viewOf(t('label.channels'), visible, mode.tagMode, {
        edit: (row) => (isTag(row) ? setTag(row) : open(editPath(row))),
        remove: setDeleting,
      }),
    [t, visible, mode.tagMode, open],
  )
  const isRoot = useUser()?.role === role.root
  const add = (
    <>
      <PageLinks on="/channel" primary="/connect/provider" />
      {isRoot && <LinkButton to={localPath} text={t('channel.findLocal')} isFilled />}
      <Button data-main-action icon={<Plus />} text={t('channel.add')} onClick={() => open(newPath)} />
    </>
  )
  const isEmpty = page.total === 0 && !page.isLoading && !page.error && !isFiltered(filter)
  return (
    <PageFrame
      isWide
      title={t('label.channels')}
      action={!isEmpty && add}
      filters={!isEmpty && <ChannelFilters filter={filter} onQuery={setFilter} />}
    >
      <div hidden={isEmpty}>
        <Toolbar
          mode={mode}
          onTurn={mode.turn}
          onRefresh={() => {
            page.retry()
            readCooldowns()
          }}
          isRefreshing={page.isTurning}
          settings={settings}
        />
      </div>
      <RunCards />
      <div className="channel-list" key={String(isEmpty)}>
        <ActivityOf rows={page.rows}>
          <PageTable
            view={{ ...view, sorting, ...(mode.batchMode ? { selection } : {}) }}
            page={page}
            empty={
              <NoChannel filter={filter} onClear={() => setFilter({ ...noFilter, sort: filter.sort })} add={add} />
            }
          />
        </ActivityOf>
      </div>
      {mode.batchMode && !isEmpty && (
        <SelectionBar>
          <BatchActions rows={page.rows} selection={selection} />
        </SelectionBar>
      )}
      {deleting && <DeleteConfirmation channel={deleting} onClose={() => setDeleting(undefined)} />}
      <Drawers tag={tag} onCloseTag={() => setTag(undefined)} />
    </PageFrame>
  )
}

/** Opens a form over the list, whose filter stays in the address. */
function useOpenForm(): (pathname: string) => void {
  const navigate = useNavigate()
  const { search } = useLocation()
  return useCallback((pathname) => void navigate({ pathname, search }, { state: fromList }), [navigate, search])
}

/** Tags open to show their channels; disabled rows are greyed (docs/reference/screens.md#channels). */
const viewOf = (
  label: string,
  columns: ListView<Row>['columns'],
  tagMode: boolean,
  rowActions: RowActions,
): ListView<Row> => ({
  label,
  columns,
  keyOf,
  nameOf: (row) => (isTag(row) ? (row.tag ?? '—') : row.name),
  ...(tagMode ? { childrenOf: (row: Row) => (isTag(row) ? row.channels : []) } : {}),
  actions: (row) => <Actions row={row} {...rowActions} />,
  isMuted: (row) => !isOn(row),
})

type RowActions = Readonly<{ edit: (row: Row) => void; remove: (channel: ChannelView) => void }>

/** The row of channels without a tag has no actions. */
function Actions({ row, edit, remove }: RowActions & Readonly<{ row: Row }>) {
  if (!isTag(row)) return <RowMenu channel={row} onEdit={() => edit(row)} onDelete={() => remove(row)} />
  return row.tag === null ? null : <TagMenu tag={row.tag} onEdit={() => edit(row)} />
}

type NoChannelProps = Readonly<{ filter: ChannelFilter; onClear: () => void; add: ReactNode }>

function NoChannel({ filter, onClear, add }: NoChannelProps) {
  const { t } = useTranslation()
  const icon = <DataLineage size={48} />
  const description = t(filter.trouble === 'failing' ? 'channel.noFailing' : 'channel.noMatchHint')
  if (isFiltered(filter))
    return <NoMatch icon={icon} title={t('channel.noMatch')} description={description} onClear={onClear} />
  return <BlankState icon={icon} title={t('channel.none')} description={t('channel.noneHint')} action={add} />
}

const RunCard = later(async () => (await import('./runs/run-card.tsx')).RunCard)

function RunCards() {
  const { runs, isLost, dismiss } = useShownRuns()
  if (runs.length === 0) return null
  const takeAway = (run: (typeof runs)[number]) => {
    dismiss(run)
    // The pressed button is removed with its card; focuses the content instead of the document's top.
    document.getElementById('content')?.focus({ preventScroll: true })
  }
  return (
    <div className="run-cards">
      {runs.map((run) => (
        <RunCard key={run.kind} run={run} isLost={isLost} onDismiss={() => takeAway(run)} />
      ))}
    </div>
  )
}

/** Actions on all channels of a tag: enable, disable, edit (docs/reference/screens.md#channels). */
function TagMenu({ tag, onEdit }: { tag: string; onEdit: () => void }) {
  const { t } = useTranslation()
  const enable = useSend(calls.enableTag)
  const disable = useSend(calls.disableTag)
  const done = { onSuccess: () => showSuccess(t('op.ok')) }
  const label = t('channel.actions', { name: t('channel.tagName', { tag }) })
  const content = (
    <Menu aria-label={label}>
      <MenuItem icon={<Tick />} text={t('channel.enableAll')} onClick={() => enable.mutate({ body: { tag } }, done)} />
      <MenuItem
        icon={<Disable />}
        text={t('channel.disableAll')}
        onClick={() => disable.mutate({ body: { tag } }, done)}
      />
      <MenuItem icon={<Edit />} text={t('label.edit')} onClick={onEdit} />
    </Menu>
  )
  return (
    <div className="channel-actions">
      <Popover isMenu content={content}>
        <Button variant="minimal" icon={<More />} aria-label={label} />
      </Popover>
    </div>
  )
}
