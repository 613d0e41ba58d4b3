import { Callout, Classes, InputGroup, Tag } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import { useMemo, useState } from 'react'
import type { CatalogueRow } from '../../../../shared/api/catalogue.ts'
import { useLocalPage } from '../../../api/use-local-page.ts'
import { groupDigits } from '../../../components/count.tsx'
import type { ListView, RowKey } from '../../../components/page-table/list-view.ts'
import { PageTable } from '../../../components/page-table/page-table.tsx'
import { Select } from '../../../components/select.tsx'
import { useTranslation } from '../../../translation.ts'
import { PriceCell } from './price-cell.tsx'

type ChangeTableProps = Readonly<{
  rows: readonly CatalogueRow[]
  chosen: ReadonlySet<RowKey>
  onChoose: (chosen: ReadonlySet<RowKey>) => void
}>

const shows = {
  all: () => true,
  changed: ({ state }) => state === 'changed',
  new: ({ state }) => state === 'new',
  offered: ({ is_offered }) => is_offered,
  hand: ({ is_hand_made }) => is_hand_made,
} satisfies Record<string, (row: CatalogueRow) => boolean>
const showNames = ['all', 'changed', 'new', 'offered', 'hand'] as const
type ShowName = (typeof showNames)[number] | 'chosen'

/** Proposed changes with check boxes; prices set by hand are initially unchecked. */
export function ChangeTable({ rows, chosen, onChoose }: ChangeTableProps) {
  const { t } = useTranslation()
  const [show, setShow] = useState<ShowName>('all')
  const [query, setQuery] = useState('')
  const [order, sortBy] = useState('')
  const found = useMemo(() => {
    const wanted = query.trim().toLowerCase()
    const isShown = show === 'chosen' ? ({ model }: CatalogueRow) => chosen.has(model) : shows[show]
    const matching = rows.filter((row) => isShown(row) && row.model.toLowerCase().includes(wanted))
    return byPercent(matching, order)
  }, [rows, show, query, chosen, order])
  const page = useLocalPage(found, { subject: `${show} ${query} ${order}` })
  const view = { ...useView({ chosen, choose: onChoose }), sorting: { order, sortBy } }
  const byHand = rows.filter(({ model, is_hand_made }) => is_hand_made && chosen.has(model)).length
  const options = [
    ...showNames.map((value) => ({
      value,
      label: t(`prices.show.${value}`, { n: groupDigits(rows.filter(shows[value]).length) }),
    })),
    { value: 'chosen', label: t('prices.show.chosen', { n: groupDigits(chosen.size) }) },
  ]
  return (
    <div className="catalogue-changes">
      <search className="catalogue-changes-filters">
        <InputGroup
          type="search"
          leftIcon={<Search />}
          placeholder={t('prices.search')}
          aria-label={t('prices.search')}
          value={query}
          onValueChange={setQuery}
        />
        <Select
          aria-label={t('prices.show')}
          options={options}
          value={show}
          onChange={({ currentTarget: { value } }) => setShow(showOf(value))}
        />
      </search>
      {byHand > 0 && (
        <Callout intent="warning" compact>
          {t('prices.byHandChosen', { n: groupDigits(byHand) })}
        </Callout>
      )}
      <PageTable view={view} page={page} empty={<p>{t('prices.noneFound')}</p>} />
    </div>
  )
}

const showOf = (value: string): ShowName =>
  value === 'chosen' ? 'chosen' : (showNames.find((name) => name === value) ?? 'all')

function byPercent(rows: readonly CatalogueRow[], order: string): readonly CatalogueRow[] {
  if (order === '') return rows
  const direction = order === 'percent' ? 1 : -1
  return rows.toSorted((one, other) => direction * ((one.percent ?? -Infinity) - (other.percent ?? -Infinity) || 0))
}

function useView(selection: NonNullable<ListView<CatalogueRow>['selection']>): ListView<CatalogueRow> {
  const { t } = useTranslation()
  return {
    label: t('prices.changes'),
    keyOf: ({ model }) => model,
    selection,
    columns: [
      { id: 'model', title: t('label.model'), cell: (row) => <ModelCell row={row} /> },
      { id: 'before', title: t('prices.before'), cell: ({ before }) => <PriceCell price={before} /> },
      {
        id: 'after',
        title: t('prices.after'),
        cell: ({ before, after }) => <PriceCell price={after} other={before} />,
      },
      {
        id: 'percent',
        title: t('prices.change'),
        isNumeric: true,
        cell: ({ percent }) => <span className="tabular">{percent === null ? '—' : percentText(percent)}</span>,
        sort: 'percent',
      },
    ],
  }
}

function ModelCell({ row }: { row: CatalogueRow }) {
  const { t } = useTranslation()
  const { model, source_name, state, is_hand_made, is_partial } = row
  return (
    <div className="catalogue-model">
      <span className={Classes.MONOSPACE_TEXT}>{model}</span>
      {source_name !== model && <small className={Classes.TEXT_MUTED}>{t('prices.from', { name: source_name })}</small>}
      <span className="catalogue-model-tags">
        {state === 'new' && <Tag minimal>{t('prices.new')}</Tag>}
        {is_hand_made && (
          <Tag minimal intent="warning">
            {t('prices.byHand')}
          </Tag>
        )}
        {is_partial && (
          <Tag minimal title={t('prices.partialHint')}>
            {t('prices.partial')}
          </Tag>
        )}
      </span>
    </div>
  )
}

function percentText(percent: number): string {
  const sign = percent > 0 ? '+' : '-'
  return percent === 0 ? '0%' : `${sign}${groupDigits(Math.abs(Number(percent.toFixed(1))))}%`
}
