import * as z from 'zod/mini'
import { parsed } from '../../../../shared/json.ts'

/** A chat preset as it is edited. */
export type ChatRow = Readonly<{ name: string; address: string }>

/** The presets that a JSON text holds, a row each; undefined where it holds something else. */
export function rowsIn(text: string): readonly ChatRow[] | undefined {
  const { data } = presets.safeParse(parsed(text))
  return data?.map((preset) => {
    const [[name, address] = ['', '']] = Object.entries(preset)
    return { name, address }
  })
}

/** The JSON of rows; those that nothing was entered in are left out. */
export const textOfRows = (rows: readonly ChatRow[]): string =>
  JSON.stringify(
    rows.filter(({ name, address }) => name !== '' || address !== '').map(({ name, address }) => ({ [name]: address })),
    null,
    2,
  )

/** A row of the list, which stays the same one while it is typed in and moved. */
export type ListedRow = ChatRow & Readonly<{ id: number }>

/** Rows for the list. */
export const listed = (rows: readonly ChatRow[] = []): readonly ListedRow[] => rows.map((row, id) => ({ ...row, id }))

/** With one more row, in which nothing is entered. */
export const withRow = (rows: readonly ListedRow[]): readonly ListedRow[] => [
  ...rows,
  { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, name: '', address: '' },
]

/** With a row at another place. */
export const movedRow = (rows: readonly ListedRow[], row: ListedRow, place: number): readonly ListedRow[] =>
  rows.filter((one) => one !== row).toSpliced(place, 0, row)

const presets = z.array(z.record(z.string(), z.string()).check(z.refine((preset) => Object.keys(preset).length === 1)))
