import * as z from 'zod/mini'
import { parsed } from '../../../../shared/json.ts'

export type ChatRow = Readonly<{ name: string; address: string }>

/** Parses presets from JSON; undefined if it contains anything else. */
export function rowsIn(text: string): readonly ChatRow[] | undefined {
  const { data } = presets.safeParse(parsed(text))
  return data?.map((preset) => {
    const [[name, address] = ['', '']] = Object.entries(preset)
    return { name, address }
  })
}

/** The JSON of rows, without empty ones. */
export const textOfRows = (rows: readonly ChatRow[]): string =>
  JSON.stringify(
    rows.filter(({ name, address }) => name !== '' || address !== '').map(({ name, address }) => ({ [name]: address })),
    null,
    2,
  )

/** A row with a stable identity for editing and moving. */
export type ListedRow = ChatRow & Readonly<{ id: number }>

export const listed = (rows: readonly ChatRow[] = []): readonly ListedRow[] => rows.map((row, id) => ({ ...row, id }))

export const withRow = (rows: readonly ListedRow[]): readonly ListedRow[] => [
  ...rows,
  { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, name: '', address: '' },
]

export const movedRow = (rows: readonly ListedRow[], row: ListedRow, index: number): readonly ListedRow[] =>
  rows.filter((one) => one !== row).toSpliced(index, 0, row)

const presets = z.array(z.record(z.string(), z.string()).check(z.refine((preset) => Object.keys(preset).length === 1)))
