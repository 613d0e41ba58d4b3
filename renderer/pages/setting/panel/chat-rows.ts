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

const presets = z.array(z.record(z.string(), z.string()).check(z.refine((preset) => Object.keys(preset).length === 1)))
