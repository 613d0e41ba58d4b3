import { Button, InputGroup } from '@blueprintjs/core'
import { Barcode, Duplicate, Search, Trash } from '@blueprintjs/icons'
import { type JSX, useMemo, useState } from 'react'
import { redemption as calls, type RedemptionView } from '../../../shared/api/redemption.ts'
import { redemptionStatus } from '../../../shared/enums.ts'
import { send } from '../../api/client.ts'
import { useSend } from '../../api/use-call.ts'
import { type Page, type PageQuery, type PageRows, usePage } from '../../api/use-page.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { NoMatch } from '../../components/blank-state/no-match.tsx'
import { Confirm } from '../../components/confirm/confirm.tsx'
import { useCopy } from '../../components/copy-text/use-copy.tsx'
import { FilterBar } from '../../components/filter-bar/filter-bar.tsx'
import { useTyped } from '../../components/filter-bar/use-typed.ts'
import { PageTable, type Selection } from '../../components/page-table/page-table.tsx'
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
  const [keyword, setKeyword] = useState('')
  const page = useCodes(keyword)
  const columns = useRedemptionColumns()
  const [chosen, setChosen] = useState<Selection['chosen']>(() => new Set())
  const view = useMemo(
    () => ({
      label: t('label.redemptionCodes'),
      columns,
      keyOf: (row: RedemptionView) => row.id,
      nameOf: (row: RedemptionView) => `${row.name} #${row.id}`,
      selection: { chosen, choose: setChosen },
      actions: (row: RedemptionView) => <RowMenu code={row} onEdit={() => onEdit(row)} />,
      isMuted: (row: RedemptionView) => row.status !== redemptionStatus.unused,
    }),
    [t, columns, chosen, onEdit],
  )
  const icon = <Barcode size={48} />
  const none = keyword ? (
    <NoMatch
      icon={icon}
      title={t('redemption.noMatch')}
      description={t('redemption.noMatchHint')}
      onClear={() => setKeyword('')}
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
      {!isEmpty && <Filters shown={keyword} onQuery={setKeyword} more={more} />}
      <PageTable view={view} page={page} empty={none} />
    </>
  )
}

const useCodes = (keyword: string): Page<RedemptionView> => usePage(calls.list, keyword, cutCodes)

async function cutCodes(query: PageQuery<string>): Promise<PageRows<RedemptionView>> {
  const { filter: keyword, index, size, manner } = query
  const part = { p: index + 1, page_size: size }
  const { items, total } = keyword
    ? await send(calls.search, { query: { keyword, ...part } }, manner)
    : await send(calls.list, { query: part }, manner)
  return { rows: items, total }
}

type FiltersProps = Readonly<{ shown: string; onQuery: (keyword: string) => void; more: JSX.Element }>

/** Applied on Query. */
function Filters({ shown, onQuery, more }: FiltersProps) {
  const { t } = useTranslation()
  const { typed, type } = useTyped(shown)
  return (
    <FilterBar onQuery={() => onQuery(typed.trim())} more={more}>
      <InputGroup
        leftIcon={<Search />}
        placeholder={t('redemption.keyword')}
        aria-label={t('redemption.keyword')}
        title={t('redemption.keywordHint')}
        value={typed}
        onValueChange={type}
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
