import type { ImportTable } from '../../shared/api/import.ts'
import type { MessageKey } from '../../shared/messages/en.ts'
import type { MessageParams } from '../../shared/messages/format.ts'
import { GatewayError } from '../base/errors.ts'

/** What a person is told of a row: `left_out` does not come, `changed` comes as something else. */
export type Remark = Readonly<{
  table: ImportTable
  row: string
  outcome: 'left_out' | 'changed' | 'note'
  key: MessageKey
  params: MessageParams
}>

/** What is remarked during one reading, up to a bound; beyond it remarks are only counted. */
export interface Remarks {
  readonly list: readonly Remark[]
  readonly total: number
  add(remark: Omit<Remark, 'params'> & { params?: MessageParams }): void
}

/** Remarks that are kept. */
const MAX_KEPT = 500
const MAX_NAME = 80
/** Characters of whatever else of the file stands in a remark. */
const MAX_TEXT = 300

/** No remarks yet. */
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
      if (list.length < MAX_KEPT) list.push({ ...remark, row: cut(row, MAX_NAME), params: shortened(params) })
    },
  }
}

/** By characters, so that none is cut in two; what is far beyond is not looked at. */
const cut = (text: string, max: number): string => [...text.slice(0, 2 * max)].slice(0, max).join('')

const shortened = (params: MessageParams): MessageParams =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? cut(value, MAX_TEXT) : value]),
  )

/** What `work` answers; where it is refused, undefined once `told` has been called with why. */
export function unlessRefused<T>(work: () => T, told: (refusal: GatewayError) => void): T | undefined {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    told(error)
    return undefined
  }
}
