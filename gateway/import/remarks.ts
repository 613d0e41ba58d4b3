import type { ImportTable } from '../../shared/api/import.ts'
import type { MessageKey } from '../../shared/messages/en.ts'
import type { MessageParams } from '../../shared/messages/format.ts'
import { GatewayError } from '../base/errors.ts'

/** A remark on a row: `left_out` is not imported, `changed` is imported differently, `note` only informs. */
type Remark = Readonly<{
  table: ImportTable
  row: string
  outcome: 'left_out' | 'changed' | 'note'
  key: MessageKey
  params: MessageParams
}>

/** The remarks of one reading; beyond a limit they are only counted. */
export interface Remarks {
  readonly list: readonly Remark[]
  readonly total: number
  add(remark: Omit<Remark, 'params'> & { params?: MessageParams }): void
}

const MAX_REMARKS = 500
const MAX_NAME = 80
/** Max characters of each parameter of a remark. */
const MAX_TEXT = 300

export function createRemarks(): Remarks {
  const list: Remark[] = []
  let total = 0
  return {
    list,
    get total() {
      return total
    },
    add({ params = {}, row, ...remark }) {
      total += 1
      if (list.length < MAX_REMARKS) list.push({ ...remark, row: cut(row, MAX_NAME), params: shortened(params) })
    },
  }
}

/** Cuts by code points, so that none is split; ignores text far beyond the limit. */
const cut = (text: string, max: number): string => [...text.slice(0, 2 * max)].slice(0, max).join('')

const shortened = (params: MessageParams): MessageParams =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? cut(value, MAX_TEXT) : value]),
  )

/** Returns the result of `work`; on a GatewayError, calls `onRefused` with it and returns undefined. */
export function unlessRefused<T>(work: () => T, onRefused: (refusal: GatewayError) => void): T | undefined {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    onRefused(error)
    return undefined
  }
}
