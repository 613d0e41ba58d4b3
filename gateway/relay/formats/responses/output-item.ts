import type { JsonObject } from '../../../base/json.ts'

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

/** An item of the output that is being written. */
export interface OutputItem {
  /** Its place in the output. */
  readonly index: number
  /** Says the rest of its events; answers the item as the whole response has it. */
  close(status: ItemStatus): JsonObject
}

/** The events of a stream in the making, numbered from 0 on, or from where it stands. */
export class EventLog {
  #events: JsonObject[] = []
  #next: number

  constructor(next = 0) {
    this.#next = next
  }

  add(type: string, fields: JsonObject): void {
    this.#events.push({ type, sequence_number: this.#next, ...fields })
    this.#next += 1
  }

  /** The number of the next event. */
  next(): number {
    return this.#next
  }

  /** The events since the last time they were taken. */
  take(): readonly JsonObject[] {
    const events = this.#events
    this.#events = []
    return events
  }
}
