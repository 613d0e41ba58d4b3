import { Button, InputGroup } from '@blueprintjs/core'
import { Edit, Plus, Search, Trash, Undo } from '@blueprintjs/icons'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { useStatus } from '../../../api/status.ts'
import { useLocalPage } from '../../../api/use-local-page.ts'
import { focusAfter } from '../../../components/focus-after.ts'
import type { RowKey } from '../../../components/page-table/list-view.ts'
import { type ListView, PageTable } from '../../../components/page-table/page-table.tsx'
import { Select } from '../../../components/select.tsx'
import { useTranslation } from '../../../translation.ts'
import { BatchButton } from './batch-button.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { NoModel } from './no-model.tsx'
import { priceColumns } from './price-columns.tsx'
import { type Drafts, isPerRequest, shownTexts } from './price-draft.ts'
import { PriceDrawer } from './price-drawer.tsx'
import type { PriceTable } from './price-table.ts'
import { priceText } from './price-text.ts'
import { SaveBar } from './save-bar.tsx'
import { useApply } from './use-apply.ts'
import { type PriceDrafts, usePriceDrafts } from './use-drafts.ts'

const PAGE_SIZE = 10

/**
 * All models with editable prices, which are saved together (docs/reference/screens.md#pricing-editors); `model` is
 * opened first.
 */
export function VisualEditor({ stored, model }: Readonly<{ stored: PriceTable; model: string | null }>) {
  const { t } = useTranslation()
  const list = useRef<HTMLDivElement>(null)
  const drafts = usePriceDrafts(stored)
  const [search, setSearch] = useState(model ?? '')
  const [show, setShow] = useState<Show>('all')
  const [chosen, setChosen] = useState<ReadonlySet<RowKey>>(new Set())
  const [opened, setOpened] = useState(model ?? undefined)
  const models = modelsOf(stored, drafts.drafts)
  const found = useMemo(
    () => models.filter((model) => isShown(model, { search, show, stored, drafts: drafts.drafts })),
    [models, search, show, stored, drafts.drafts],
  )
  const page = useLocalPage(found, { subject: subjectOf(search, show), fixedSize: PAGE_SIZE })
  const showAll = (index: number) => {
    setSearch('')
    setShow('all')
    page.turnTo(Math.floor(index / PAGE_SIZE), subjectOf('', 'all'))
  }
  const close = () => {
    // A form that a link from another page has opened has no button to return the focus to.
    focusAfter(
      () => setOpened(undefined),
      () => model !== null && opened === model && list.current?.querySelector('input'),
    )
  }
  const { saving, apply } = useApply(drafts, list, (model) => showAll(models.indexOf(model)))
  // Deleted or discarded models are no longer selected.
  const chosenNow = new Set([...chosen].filter((key) => stored.has(String(key)) || drafts.drafts.has(String(key))))
  const view = useView({ stored, drafts, chosen: chosenNow, choose: setChosen, open: setOpened })
  return (
    <div className="price-editor" ref={list}>
      <Tools search={search} onSearch={setSearch} show={show} onShow={setShow}>
        <BatchButton chosen={chosenNow} found={found} choose={setChosen} stored={stored} drafts={drafts} />
        <Button icon={<Plus />} text={t('priceEditor.add')} onClick={() => setOpened('')} />
      </Tools>
      <PageTable view={view} page={page} empty={<NoModel />} />
      <SaveBar
        unsaved={drafts.drafts.size}
        isBusy={saving.isBusy}
        onDiscard={drafts.clear}
        onApply={() => void apply()}
      />
      <EditDrawer model={opened} stored={stored} drafts={drafts} onAdd={() => showAll(0)} onClose={close} />
      <ConflictDialog
        saving={saving}
        nameOf={(model) => model}
        describe={(_, row) => priceText(row, t)}
        onSaved={drafts.clear}
      />
    </div>
  )
}

const subjectOf = (search: string, show: Show): string => `${show} ${search}`

type ViewOf = Readonly<{
  stored: PriceTable
  drafts: PriceDrafts
  chosen: ReadonlySet<RowKey>
  choose: (next: ReadonlySet<RowKey>) => void
  open: (model: string) => void
}>

function useView({ stored, drafts, chosen, choose, open }: ViewOf): ListView<string> {
  const { t } = useTranslation()
  const { quota_per_unit: quotaPerUnit } = useStatus()
  return {
    label: t('priceEditor.list'),
    columns: priceColumns({ stored, drafts, quotaPerUnit, t }),
    keyOf: (model) => model,
    selection: { chosen, choose },
    isMuted: (model) => drafts.drafts.get(model)?.texts === null,
    actions: (model) => <RowButtons model={model} drafts={drafts} open={open} />,
  }
}

function RowButtons({ model, drafts, open }: Pick<ViewOf, 'drafts' | 'open'> & Readonly<{ model: string }>) {
  const { t } = useTranslation()
  const draft = drafts.drafts.get(model)
  const isDeleted = draft?.texts === null
  return (
    <span className="price-editor-actions">
      {draft && draft.base !== undefined && (
        <Button
          variant="minimal"
          icon={<Undo />}
          aria-label={t('priceEditor.revert', { model })}
          onClick={({ currentTarget }) => moveFocusAfter(currentTarget, () => drafts.revert(model))}
        />
      )}
      {!isDeleted && (
        <>
          <Button
            variant="minimal"
            icon={<Edit />}
            aria-label={t('priceEditor.edit', { model })}
            onClick={() => open(model)}
          />
          <Button
            variant="minimal"
            icon={<Trash />}
            aria-label={t('priceEditor.delete', { model })}
            onClick={({ currentTarget }) => moveFocusAfter(currentTarget, () => drafts.remove([model]))}
          />
        </>
      )}
    </span>
  )
}

/**
 * Applies a change that removes the pressed button, then focuses another button of the row, or of the row in its
 * place.
 */
function moveFocusAfter(button: HTMLElement, change: () => void): void {
  const list = button.closest('.price-editor')
  const rows = () => [...(list?.querySelectorAll('.price-editor-actions') ?? [])]
  const index = rows().findIndex((row) => row.contains(button))
  focusAfter(
    change,
    () => (rows()[index] ?? rows().at(-1))?.querySelector('button'),
    () => list?.querySelector('input'),
  )
}

type EditDrawerProps = Pick<ViewOf, 'stored' | 'drafts'> &
  Readonly<{ model: string | undefined; onAdd: () => void; onClose: () => void }>

/** The form of one model; an added model is first in the list. */
function EditDrawer({ model, stored, drafts, onAdd, onClose }: EditDrawerProps) {
  const { quota_per_unit: quotaPerUnit } = useStatus()
  if (model === undefined) return null
  const all = drafts.drafts
  const base = all.has(model) ? all.get(model)?.base : stored.get(model)
  return (
    <PriceDrawer
      model={model}
      texts={shownTexts(all, stored, model)}
      of={{ base, quotaPerUnit, isTaken: (name) => model === '' && (all.has(name) || stored.has(name)) }}
      onTake={(name, texts) => {
        drafts.put(new Map([[name, texts]]))
        if (model === '') onAdd()
        onClose()
      }}
      onClose={onClose}
    />
  )
}

type ToolsProps = Readonly<{
  search: string
  onSearch: (text: string) => void
  show: Show
  onShow: (show: Show) => void
  children: ReactNode
}>

function Tools({ search, onSearch, show, onShow, children }: ToolsProps) {
  const { t } = useTranslation()
  return (
    <div className="price-editor-line">
      <InputGroup
        type="search"
        className="price-editor-search"
        leftIcon={<Search />}
        aria-label={t('priceEditor.search')}
        placeholder={t('priceEditor.search')}
        value={search}
        onValueChange={onSearch}
      />
      <Select
        aria-label={t('priceEditor.show')}
        value={show}
        onChange={({ currentTarget }) => onShow(shows.find((one) => one === currentTarget.value) ?? 'all')}
        options={shows.map((value) => ({ value, label: t(`priceEditor.show.${value}`) }))}
      />
      <div className="price-editor-tools">{children}</div>
    </div>
  )
}

const shows = ['all', 'unsaved', 'perToken', 'perRequest', 'unpriced'] as const
type Show = (typeof shows)[number]

type Filter = Readonly<{ search: string; show: Show; stored: PriceTable; drafts: Drafts }>

function isShown(model: string, { search, show, stored, drafts }: Filter): boolean {
  if (!model.toLowerCase().includes(search.trim().toLowerCase())) return false
  if (show === 'all') return true
  if (show === 'unsaved') return drafts.has(model)
  const texts = shownTexts(drafts, stored, model)
  if (show === 'perRequest') return isPerRequest(texts)
  const isPerToken = !isPerRequest(texts) && texts.ModelRatio !== ''
  return show === 'perToken' ? isPerToken : !isPerToken && !isPerRequest(texts)
}

function modelsOf(stored: PriceTable, drafts: Drafts): readonly string[] {
  const added = [...drafts.keys()].filter((model) => !stored.has(model))
  return [...added.reverse(), ...sortedNames(stored)]
}

/** Sorts each table only once. */
function sortedNames(stored: PriceTable): readonly string[] {
  const known = sorted.get(stored)
  if (known) return known
  const names = [...stored.keys()].sort((one, other) => (one < other ? -1 : 1))
  sorted.set(stored, names)
  return names
}

const sorted = new WeakMap<PriceTable, readonly string[]>()
