/** A gateway that shares a database, as the database knows it. Times are unix seconds by the database's clock. */
export type NodeState = Readonly<{
  id: string
  version: string
  /** 0 if it has ended and given everything back. */
  seenAt: number
  silentSeconds: number
  fencedAt: number | null
  /** Quota of accounts in its slices; negative if charges exceeded their reservations. */
  leased: number
  /** Its charges that were not in the database, and for how many seconds none was written. */
  uncommitted: number
  uncommittedSeconds: number
  redis: RedisUse
}>

/** Whether a node counts limits in Redis; `none` without `REDIS_URL`. */
export type RedisUse = 'none' | 'up' | 'away'

/** What a node reports of itself with each sign of life. */
export type NodeFigures = Readonly<{ uncommitted: number; uncommittedSeconds: number; redis: RedisUse }>

export type FenceResult = 'fenced' | 'missing' | 'alive'

/** The gateways that share the database (docs/growth.md#nodes). */
export interface Nodes {
  /** The name of this one. */
  readonly own: string
  /** How long a node must have been silent before it may be fenced. */
  readonly fenceSeconds: number
  /** Those that are alive, this one included. */
  living(): number
  list(): Promise<readonly NodeState[]>
  /**
   * Takes the slices of a node away. Its charges are still written once its journal is there again. Changes nothing if
   * the database heard it lately.
   */
  fence(node: string): Promise<FenceResult>
}

/** SQLite has one gateway. */
export const oneNode: Nodes = {
  own: '',
  fenceSeconds: 0,
  living: () => 1,
  list: async () => [],
  fence: async () => 'missing',
}
