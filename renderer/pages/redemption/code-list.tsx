import { Button, InputGroup } from '@blueprintjs/core'
import { Barcode, Duplicate, Search, Trash } from '@blueprintjs/icons'
import { type JSX, useMemo, useState } from 'react'
import { redemption as calls, type RedemptionSort, type RedemptionView } from '../../../shared/api/redemption.ts'
import { redemptionStatus } from '../../../shared/enums.ts'
import { send } from '../../api/client.ts'
import { useSend } from '../../api/use-call.ts'
import { type Page, type PageQuery, type PageRows, usePage } from '../../api/use-page.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { NoMatch } from '../../components/blank-state/no-match.tsx'
import { Confirm } from '../../components/confirm/confirm.tsx'
import { useCopy } from '../../components/copy-text/use-copy.tsx'
import { FilterBar } from '../../components/filter-bar/filter-bar.tsx'
import { useAddressFilter } from '../../components/filter-bar/use-address-filter.ts'
import { useTyped } from '../../components/filter-bar/use-typed.ts'
import { PageTable, type Selection } from '../../components/page-table/page-table.tsx'
import { useSorting } from '../../components/page-table/use-sorting.ts'
import { showSuccess, showWarning } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'
import { useRedemptionColumns } from './columns.tsx'
import { RowMenu } from './row-menu.tsx'

type CodeListProps = Readonly<{
  add: JSX.Element
  onEdit: (code: RedemptionView) => void
}>

export function CodeList({ add, onEdit }: CodeListProps) {
  const { t } = useTranslation()
  const [filter, setFilter] = useAddressFilter(noFilter)
  const { keyword } = filter
  const page = useCodes(filter)
  const sorting = useSorting(filter, setFilter)
  const columns = useRedemptionColumns()
  const [chosen, setChosen] = useState<Selection['chosen']>(() => new Set())
  const view = useMemo(
    () => ({
      label: t('label.redemptionCodes'),
      columns,
      keyOf: (row: RedemptionView) => row.id,
      nameOf: (row: RedemptionView) => `${row.name} #${row.id}`,
      selection: { chosen, choose: setChosen },
      sorting,
      edit: onEdit,
      actions: (row: RedemptionView) => <RowMenu code={row} onEdit={() => onEdit(row)} />,
      isMuted: (row: RedemptionView) => row.status !== redemptionStatus.unused,
    }),
    [t, columns, chosen, sorting, onEdit],
  )
  const icon = <Barcode size={48} />
  const none = keyword ? (
    <NoMatch
      icon={icon}
      title={t('redemption.noMatch')}
      description={t('redemption.noMatchHint')}
      onClear={() => setFilter({ ...filter, keyword: '' })}
    />
  ) : (
    <BlankState icon={icon} title={t('redemption.none')} description={t('redemption.noneHint')} action={add} />
  )
  const isEmpty = page.total === 0 && !page.isLoading && !page.error && keyword === ''
  const more = (
    <>
      <RemoveInvalid />
      <CopySelected rows={page.rows.filter(({ id }) => chosen.has(id))} />
    </>
  )
  return (
    <>
      {!isEmpty && <Filters filter={filter} onQuery={setFilter} more={more} />}
      <PageTable view={view} page={page} empty={none} />
    </>
  )
}

type CodeFilter = Readonly<{ keyword: string; sort: NonNullable<RedemptionSort> }>

const noFilter: CodeFilter = { keyword: '', sort: '' }

const useCodes = (filter: CodeFilter): Page<RedemptionView> => usePage(calls.list, filter, cutCodes)

async function cutCodes(query: PageQuery<CodeFilter>): Promise<PageRows<RedemptionView>> {
  const { filter, index, size, manner } = query
  const { keyword, sort } = filter
  const part = { sort, p: index + 1, page_size: size }
  const { items, total } = keyword
    ? await send(calls.search, { query: { keyword, ...part } }, manner)
    : await send(calls.list, { query: part }, manner)
  return { rows: items, total }
}

type FiltersProps = Readonly<{ filter: CodeFilter; onQuery: (filter: CodeFilter) => void; more: JSX.Element }>

function Filters({ filter, onQuery, more }: FiltersProps) {
  const { t } = useTranslation()
  const { typed, type } = useTyped(filter)
  return (
    <FilterBar onQuery={() => onQuery({ ...typed, keyword: typed.keyword.trim() })} more={more}>
      <InputGroup
        leftIcon={<Search />}
        placeholder={t('redemption.keyword')}
        aria-label={t('redemption.keyword')}
        title={t('redemption.keywordHint')}
        value={typed.keyword}
        onValueChange={(keyword) => type({ ...typed, keyword })}
      />
    </FilterBar>
  )
}

/** Copies the selected codes, one per line: name, four spaces, code (docs/reference/screens.md#redemption-codes). */
function CopySelected({ rows }: { rows: readonly RedemptionView[] }) {
  const { t } = useTranslation()
  const { copy, dialog } = useCopy()
  const n = rows.length
  const lines = () => rows.map(({ name, key }) => `${name}    ${key}`).join('\n')
  const act = () => (n === 0 ? showWarning(t('redeem.select')) : copy(lines(), t('redemption.copiedSelected', { n })))
  return (
    <>
      <Button icon={<Duplicate />} text={t('redemption.copySelected', { n })} onClick={act} />
      {dialog}
    </>
  )
}

/** Deletes codes that can no longer be redeemed. */
function RemoveInvalid() {
  const { t } = useTranslation()
  const [isConfirming, setConfirming] = useState(false)
  const { mutate, isPending } = useSend(calls.removeInvalid)
  const done = (n: number) => showSuccess(t('redemption.removed', { n }))
  return (
    <>
      <Button icon={<Trash />} text={t('redemption.removeInvalid')} onClick={() => setConfirming(true)} />
      <Confirm
        isOpen={isConfirming}
        question={t('redemption.removeInvalidAsk')}
        verb={t('label.delete')}
        isBusy={isPending}
        onCancel={() => setConfirming(false)}
        onConfirm={() => mutate({}, { onSuccess: done, onSettled: () => setConfirming(false) })}
      >
        {t('redemption.removeInvalidHint')}
      </Confirm>
    </>
  )
}
