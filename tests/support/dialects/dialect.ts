import type { z } from 'zod'
import type { RelayAnswer } from '../relay-client.ts'

/** What a client of a dialect makes of an answer. */
export type Understood = Readonly<{
  /** What does not fit the dialect's published schema or order of events; empty where all does. */
  faults: readonly string[]
  text: string
  /** The calls with their arguments as JSON. */
  calls: readonly Readonly<{ name: string; json: string }>[]
}>

/** Reads an answer strictly, a stream or whole. */
export type ReadAnswer = (answer: RelayAnswer) => Understood

/** Whether an answer came as a stream of events. */
export const isStream = ({ headers }: RelayAnswer): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true

/** What a schema finds wrong with events, a line each, by their number. */
export function faultsOfEvents(schema: z.ZodType, events: readonly unknown[]): string[] {
  return events.flatMap((event, index) =>
    (schema.safeParse(event).error?.issues ?? []).map((one) => `event ${index}: ${one.path.join('.')}: ${one.message}`),
  )
}
