import { InputGroup } from '@blueprintjs/core'
import { Cube } from '@blueprintjs/icons'
import { useState } from 'react'
import type { Page } from '../../api/use-page.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { useColumnChoice } from '../../components/column-settings/use-column-choice.tsx'
import { FilterBar } from '../../components/filter-bar/filter-bar.tsx'
import { type Column, type ListView, PageTable } from '../../components/page-table/page-table.tsx'

type Fruit = Readonly<{ id: number; name: string; count: number; parts: readonly Fruit[] }>

export function Lists() {
  const [chosen, setChosen] = useState<ReadonlySet<string | number>>(new Set())
  const [order, sortBy] = useState('')
  const { visible, settings } = useColumnChoice('logs-table-columns', columns)
  const view: ListView<Fruit> = {
    label: 'Fruits',
    columns: visible,
    keyOf: ({ id }) => id,
    nameOf: ({ name }) => name,
    isMuted: ({ count }) => count === 0,
    selection: { chosen, choose: setChosen },
    sorting: { order, sortBy },
    detail: ({ name, parts }) => (parts.length > 0 ? null : `All there is to say about ${name}.`),
    childrenOf: ({ parts }) => parts,
  }
  const empty = <BlankState icon={<Cube size={48} />} title="No fruits" description="Nothing has been picked yet." />
  return (
    <>
      <PageTable view={view} page={{ ...page, isLoading: true }} empty={empty} />
      <PageTable view={view} page={{ ...page, error: new Error('The basket is out of reach') }} empty={empty} />
      <PageTable view={view} page={{ ...page, rows: [] }} empty={empty} />
      <FilterBar onQuery={() => setChosen(new Set())} more={settings}>
        <InputGroup placeholder="Name" aria-label="Name" />
        <InputGroup placeholder="Number" aria-label="Number" />
      </FilterBar>
      <PageTable view={view} page={page} empty={empty} />
    </>
  )
}

const columns: readonly Column<Fruit>[] = [
  { id: 'name', title: 'Name', cell: ({ name }) => name, sort: 'name' },
  {
    id: 'count',
    title: 'Number',
    isNumeric: true,
    cell: ({ count }) => count,
    sort: 'count',
    total: (rows) => rows.reduce((sum, { count }) => sum + count, 0),
  },
  { id: 'parts', title: 'Kinds', cell: ({ parts }) => parts.length },
]

const kinds = [
  { id: 11, name: 'Boskoop', count: 3, parts: [] },
  { id: 12, name: 'Elstar', count: 4, parts: [] },
]
const rows: readonly Fruit[] = [
  { id: 1, name: 'Apple', count: 7, parts: kinds },
  { id: 2, name: 'Cherry', count: 120, parts: [] },
  { id: 3, name: 'Banana', count: 0, parts: [] },
]

const page: Page<Fruit> = {
  rows,
  total: rows.length,
  isMore: false,
  index: 0,
  size: 10,
  turnTo: () => {},
  resize: () => {},
  isLoading: false,
  isTurning: false,
  error: null,
  loadedAt: 0,
  retry: () => {},
}
