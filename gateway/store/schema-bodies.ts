import type { Generated, Selectable } from 'kysely'

/** What there is of a body: all of it, its beginning, or nothing, and why (docs/reference/bodies.md#what-is-kept). */
export type BodyState = 'whole' | 'cut' | 'not_text' | 'too_large' | 'busy'

/** The `kept_bodies` table: bodies of relayed calls by the call's request id (docs/reference/bodies.md). */
export interface KeptBodiesTable {
  request_id: string
  /** Whose call it was. */
  user_id: number
  /** Unix seconds. */
  created_at: number
  model: string
  /** Where the call was sent, without the query but for Gemini's `alt`. */
  path: string
  /** 1 where a stream was asked for. */
  is_stream: Generated<number>
  /** The status that the caller got; 499 where it left before there was one. */
  status: number
  duration_ms: number
  /** Sealed, packed text; empty where there is none. */
  request: Generated<string>
  request_state: BodyState
  answer: Generated<string>
  answer_state: BodyState
  /** What the row takes of the room for all. */
  bytes: number
}

export type KeptBodiesRow = Selectable<KeptBodiesTable>
