import type { SharedBudgets } from '../shared-state/shared-budgets.ts'

/** A gateway that shares a database, as the database knows it. Times are unix seconds by the database's clock. */
export type NodeState = Readonly<{
  id: string
  version: string
  /** The name of its machine or container. */
  host: string
  /** 0 if it has shut down and given all quota back. */
  seenAt: number
  silentSeconds: number
  fencedAt: number | null
  /** Quota of accounts in its slices; negative if charges exceeded their reservations. */
  leased: number
  /**
   * The number of its charges that were not in the database at its last sign of life, and for how many seconds none had
   * been written.
   */
  uncommitted: number
  uncommittedSeconds: number
  redis: RedisUse
  /** Whether the node reports that it is not ready, so that a balancer sends it no more requests. */
  isDraining: boolean
}>

/** Whether a node counts limits in Redis; `none` without `REDIS_URL`. */
export type RedisUse = 'none' | 'up' | 'away'

/** The figures that a node reports with each sign of life. */
export type NodeFigures = Readonly<{ uncommitted: number; uncommittedSeconds: number; redis: RedisUse }>

/**
 * A node that is not fenced and has been `silent` for so long that it may be fenced, or that is `late`, that is, cannot
 * write its charges. `seconds` is for how long; `uncommitted` is as in `NodeState`.
 */
export type NodeAlarm = Readonly<{
  node: string
  state: 'silent' | 'late'
  seconds: number
  uncommitted: number
}>

export type FenceResult = 'fenced' | 'missing' | 'alive'

/** The gateways that share the database (docs/growth.md#nodes). */
export interface Nodes {
  /** The name of this node; empty on SQLite. */
  readonly own: string
  /** How long a node must have been silent before it may be fenced. */
  readonly fenceSeconds: number
  /** The number of nodes that are alive, including this one. */
  living(): number
  /** Undefined on SQLite, where one process knows all reservations. */
  readonly budgets?: SharedBudgets
  list(): Promise<readonly NodeState[]>
  /** Returns each alarm once, to one of the nodes; a node that is well again may cause another one. */
  alarms(): Promise<readonly NodeAlarm[]>
  /**
   * Revokes the slices of a node. The charges in its journal are still written once it starts again. Changes nothing if
   * the node has recently been in touch with the database.
   */
  fence(node: string): Promise<FenceResult>
  /**
   * Makes a node drain, that is, report that it is not ready and give its unused quota back, or ends that; a restart of
   * the node ends it too. Returns false for an unknown node.
   */
  drain(node: string, isDraining: boolean): Promise<boolean>
}

/** SQLite has one gateway. */
export const oneNode: Nodes = {
  own: '',
  fenceSeconds: 0,
  living: () => 1,
  list: async () => [],
  alarms: async () => [],
  fence: async () => 'missing',
  drain: async () => false,
}
