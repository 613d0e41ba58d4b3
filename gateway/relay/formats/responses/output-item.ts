import type { JsonObject } from '../../../base/json.ts'

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

/** An item of the output that is being written. */
export interface OutputItem {
  /** Its place in the output. */
  readonly index: number
  /** Says the rest of its events; answers the item as the whole response has it. */
  close(status: ItemStatus): JsonObject
}
