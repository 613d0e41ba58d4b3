import './token.css'
import { Button, InputGroup } from '@blueprintjs/core'
import { Key, Plus, Search } from '@blueprintjs/icons'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { type TokenSort, type TokenView, token } from '../../../shared/api/token.ts'
import { tokenStatus } from '../../../shared/enums.ts'
import { send, sendWhole } from '../../api/client.ts'
import { useStatus } from '../../api/status.ts'
import { type Page, type PageQuery, type PageRows, usePage } from '../../api/use-page.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { NoMatch } from '../../components/blank-state/no-match.tsx'
import { useColumnChoice } from '../../components/column-settings/use-column-choice.tsx'
import { FilterBar } from '../../components/filter-bar/filter-bar.tsx'
import { useAddressFilter } from '../../components/filter-bar/use-address-filter.ts'
import { useTyped } from '../../components/filter-bar/use-typed.ts'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { PageTable } from '../../components/page-table/page-table.tsx'
import { SelectionBar } from '../../components/page-table/selection-bar.tsx'
import { useSelection } from '../../components/page-table/use-selection.ts'
import { useSorting } from '../../components/page-table/use-sorting.ts'
import { useTranslation } from '../../translation.ts'
import { ChosenActions } from './chosen-actions.tsx'
import { hiddenAtFirst, useTokenColumns } from './columns.tsx'
import { RowMenu } from './row-menu.tsx'
import { TokenCard } from './token-card.tsx'
import { TokenHoursOf } from './use-token-hours.tsx'

/** Loaded when first opened, so that the list shows sooner. */
const TokenDrawer = lazy(async () => ({ default: (await import('./edit-drawer.tsx')).TokenDrawer }))

/** What the drawer edits: a new or existing token, or nothing. */
type Editing = TokenView | 'new' | undefined

/** The user's API tokens (docs/reference/screens.md#tokens). */
export default function TokenPage() {
  const { t } = useTranslation()
  const [filter, setFilter] = useAddressFilter(noFilter)
  const sorting = useSorting(filter, setFilter)
  const [editing, setEditing] = useState<Editing>()
  const page = useTokens(filter)
  const { enable_data_export: isStored } = useStatus()
  const { visible: columns, settings } = useColumnChoice('tokens-table-columns', useTokenColumns(), hiddenAtFirst)
  const selection = useSelection()
  const view = useMemo(
    () => ({
      label: t('label.apiTokens'),
      columns,
      keyOf: (row: TokenView) => row.id,
      nameOf: (row: TokenView) => row.name,
      selection,
      sorting,
      edit: (row: TokenView) => setEditing(row),
      card: (row: TokenView) => <TokenCard row={row} columns={new Set(columns.map(({ id }) => id))} />,
      actions: (row: TokenView) => <RowMenu token={row} onEdit={() => setEditing(row)} />,
      isMuted: (row: TokenView) => row.status !== tokenStatus.enabled,
    }),
    [t, columns, selection, sorting],
  )
  const add = <Button intent="primary" icon={<Plus />} text={t('token.add')} onClick={() => setEditing('new')} />
  const none = isFiltered(filter) ? (
    <NoMatch
      icon={<Key size={48} />}
      title={t('token.noMatch')}
      description={t('token.noMatchHint')}
      onClear={() => setFilter({ ...noFilter, sort: filter.sort })}
    />
  ) : (
    <BlankState icon={<Key size={48} />} title={t('token.none')} description={t('token.noneHint')} action={add} />
  )
  const isEmpty = page.total === 0 && !page.isLoading && !page.error && !isFiltered(filter)
  const chosen = page.rows.filter(({ id }) => selection.chosen.has(id))
  const actions = <ChosenActions rows={chosen} onDone={selection.clear} />
  const more = (
    <>
      {settings}
      {chosen.length === 0 && actions}
    </>
  )
  const filters = !isEmpty && <TokenFilters filter={filter} onQuery={setFilter} more={more} />
  return (
    <PageFrame isWide title={t('label.apiTokens')} action={!isEmpty && add} filters={filters}>
      <TokenHoursOf rows={isStored ? page.rows : noRows}>
        <PageTable view={view} page={page} empty={none} />
      </TokenHoursOf>
      {chosen.length > 0 && <SelectionBar>{actions}</SelectionBar>}
      <Suspense>{editing && <TokenDrawer editing={editing} onClose={() => setEditing(undefined)} />}</Suspense>
    </PageFrame>
  )
}

/** Without stored usage by the hour, no activity is loaded. */
const noRows: readonly TokenView[] = []

type TokenFiltersProps = Readonly<{ filter: TokenFilter; onQuery: (filter: TokenFilter) => void; more: ReactNode }>

/** Filters tokens by part of their name or key. */
function TokenFilters({ filter, onQuery, more }: TokenFiltersProps) {
  const { t } = useTranslation()
  const { typed, type } = useTyped(filter)
  return (
    <FilterBar onQuery={() => onQuery({ ...typed, name: typed.name.trim(), key: typed.key.trim() })} more={more}>
      <InputGroup
        leftIcon={<Search />}
        placeholder={t('label.name')}
        aria-label={t('label.name')}
        value={typed.name}
        onValueChange={(name) => type({ ...typed, name })}
      />
      <InputGroup
        placeholder={t('label.key')}
        aria-label={t('label.key')}
        value={typed.key}
        onValueChange={(key) => type({ ...typed, key })}
      />
    </FilterBar>
  )
}

/** Substrings of name and key, and the order; empty ones do not filter. */
type TokenFilter = Readonly<{ name: string; key: string; sort: NonNullable<TokenSort> }>

const noFilter: TokenFilter = { name: '', key: '', sort: '' }

const isFiltered = ({ name, key }: TokenFilter): boolean => name !== '' || key !== ''

const useTokens = (filter: TokenFilter): Page<TokenView> => usePage(token.list, filter, cutTokens)

/** A search returns at most 100 matches at once; they are paged here. */
async function cutTokens({ filter, index, size, manner }: PageQuery<TokenFilter>): Promise<PageRows<TokenView>> {
  if (!isFiltered(filter)) {
    const { data, extras } = await sendWhole(token.list, { query: { p: index, size, sort: filter.sort } }, manner)
    return { rows: data, total: extras.total }
  }
  const found = await send(
    token.search,
    { query: { keyword: filter.name, token: filter.key, sort: filter.sort } },
    manner,
  )
  return { rows: found.slice(index * size, (index + 1) * size), total: found.length }
}
