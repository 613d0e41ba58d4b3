import type { JsonObject } from '../../../base/json/json.ts'

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

export interface OutputItem {
  readonly index: number
  /** Writes the remaining events; returns the complete item. */
  close(status: ItemStatus): JsonObject
}

/** An event, or a piece of text that is written without creating an object. */
export type LoggedEvent = JsonObject | TextPiece

/** A class: most events of a stream are text pieces. */
export class TextPiece {
  readonly number: number
  readonly position: string
  readonly delta: string

  constructor(number: number, position: string, delta: string) {
    this.number = number
    this.position = position
    this.delta = delta
  }
}

/** The unsent events of a stream, numbered from 0 on, or from `next`. */
export class EventLog {
  #events: LoggedEvent[] = []
  #next: number

  constructor(next = 0) {
    this.#next = next
  }

  add(type: string, fields: JsonObject): void {
    this.#events.push({ type, sequence_number: this.#next, ...fields })
    this.#next += 1
  }

  /**
   * Adds a piece of text, the most frequent event; `position` is its position as serialized members of a JSON object.
   */
  addText(position: string, delta: string): void {
    this.#events.push(new TextPiece(this.#next, position, delta))
    this.#next += 1
  }

  next(): number {
    return this.#next
  }

  take(): readonly LoggedEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }
}
