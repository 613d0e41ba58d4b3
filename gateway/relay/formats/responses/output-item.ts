import type { JsonObject } from '../../../base/json/json.ts'

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

/** An item of the output that is being written. */
export interface OutputItem {
  /** Its place in the output. */
  readonly index: number
  /** Says the rest of its events; answers the item as the whole response has it. */
  close(status: ItemStatus): JsonObject
}

/** An event, or a piece of text that needs no object to be written. */
export type LoggedEvent = JsonObject | TextPiece

/** A class: most events of a stream are of it. */
export class TextPiece {
  readonly number: number
  readonly place: string
  readonly delta: string

  constructor(number: number, place: string, delta: string) {
    this.number = number
    this.place = place
    this.delta = delta
  }
}

/** The events of a stream in the making, numbered from 0 on, or from where it stands. */
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

  /** Notes a piece of text, of which there is most; `place` is where it stands, as the members of a JSON object. */
  addText(place: string, delta: string): void {
    this.#events.push(new TextPiece(this.#next, place, delta))
    this.#next += 1
  }

  /** The number of the next event. */
  next(): number {
    return this.#next
  }

  /** The events since the last time they were taken. */
  take(): readonly LoggedEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }
}
