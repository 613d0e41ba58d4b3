import type { Generated, Selectable } from 'kysely'

/**
 * How much of a body is stored: `whole`, `cut` (only its beginning), or nothing and why
 * (docs/reference/bodies.md#contents).
 */
export type BodyState = 'whole' | 'cut' | 'not_text' | 'too_large' | 'busy'

/** The `kept_bodies` table: bodies of relayed calls by request id (docs/reference/bodies.md). */
export interface KeptBodiesTable {
  request_id: string
  user_id: number
  created_at: number
  model: string
  /** Request path without its query, except Gemini's `alt`. */
  path: string
  /** 1 if the call requested a stream. */
  is_stream: Generated<number>
  /** HTTP status sent to the client; 499 if it disconnected before there was one. */
  status: number
  duration_ms: number
  /** Encrypted, compressed text; empty if nothing is stored. */
  request: Generated<string>
  request_state: BodyState
  answer: Generated<string>
  answer_state: BodyState
  /** Bytes of the row that count towards the total size limit. */
  bytes: number
}

export type KeptBodiesRow = Selectable<KeptBodiesTable>
