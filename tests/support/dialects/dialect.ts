import type { z } from 'zod'
import type { RelayAnswer } from '../relay-client.ts'

/** A response as a client of a dialect understands it. */
export type Understood = Readonly<{
  /** Violations of the dialect's published schema or order of events. */
  faults: readonly string[]
  text: string
  /** The tool calls, with their arguments as JSON. */
  calls: readonly Readonly<{ name: string; json: string }>[]
}>

/** Strictly reads a response, streamed or not. */
export type ReadAnswer = (answer: RelayAnswer) => Understood

export const isStream = ({ headers }: RelayAnswer): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true

/** Schema violations of events, one line each, by the number of the event. */
export function faultsOfEvents(schema: z.ZodType, events: readonly unknown[]): string[] {
  return events.flatMap((event, index) =>
    (schema.safeParse(event).error?.issues ?? []).map((one) => `event ${index}: ${one.path.join('.')}: ${one.message}`),
  )
}
