import { refuse } from '../../base/errors.ts'
import type { Logger } from '../../base/log/logger.ts'
import { STORAGE_UNAVAILABLE } from '../../base/storage-fault.ts'
import { AWAY, type Connections, codeOf } from '../../store/postgres/connections.ts'
import type { NodeFigures } from '../nodes.ts'
import { FENCE_SECONDS, type Membership } from './membership.ts'
import type { Slices } from './slices.ts'

type HeartbeatDeps = Readonly<{
  member: Membership
  figures: () => NodeFigures
  slices: Slices
  connections: Pick<Connections, 'reset'>
  /** A node that has been silent for this many seconds, at least `FENCE_SECONDS`, is fenced; 0 means never. */
  lostAfter: number
  monotonic: () => number
  log: Logger
}>

/** Signals that this node is alive, and gives back quota that other nodes need. */
interface Heartbeat {
  /**
   * Call it before each reservation. Throws `unavailable` if another process has this node's name, or if the database
   * has not responded for 30 s, after which other nodes may spend this node's slices; returns a promise if the next
   * response decides.
   */
  check(): void | Promise<void>
  /**
   * Whether the database has responded in the last seconds, and this node neither drains nor was replaced by another
   * process.
   */
  isReady(): boolean
  stop(): void
}

const TURN_MS = 250
/** How often a node signals that it is alive; the turns in between only return slices. */
const BEAT_MS = 1000
/** After this long without a response, the node is not ready for more requests. */
const READY_SILENCE_MS = 5000
/** For this long a node must have been listed as lost before it is fenced: the database's clock may have jumped. */
const SURE_MS = 5000
/** For this long after the last response, slices are used without the database. */
const MAX_SILENCE_MS = 30_000

export function startHeartbeat({
  member,
  figures,
  slices,
  connections,
  lostAfter,
  monotonic,
  log,
}: HeartbeatDeps): Heartbeat {
  let heardMs = monotonic()
  let beatMs = Number.NEGATIVE_INFINITY
  let isReached = true
  let isReplaced = false
  let running: Promise<void> | undefined
  const fencing = createFencing({ member, lostAfter, monotonic, log })

  const beat = async () => {
    const isMember = (await member.beat(figures())) || (await rejoin())
    if (monotonic() - heardMs > READY_SILENCE_MS) fencing.interrupted()
    if (isMember && lostAfter > 0) await fencing.fenceLost()
    return isMember
  }
  const rejoin = async () => {
    if (!(await member.rejoin())) return false
    log.warn('this node was fenced; its charges are written late')
    slices.reset()
    return true
  }
  const turn = async () => {
    const sentMs = monotonic()
    if (sentMs - beatMs >= BEAT_MS) {
      const isMember = await beat()
      if (!isMember && !isReplaced) log.error('another process has the name of this node; new calls are refused')
      isReplaced = !isMember
      beatMs = sentMs
      heardMs = sentMs
    }
  }
  /**
   * A failure to return quota does not count as silence of the server, because leases wait for each other, and for
   * statements that lock accounts.
   */
  const returnUnused = () =>
    slices.tick(member.isDraining).catch((error: unknown) => log.warn('quota was not returned', { error }))
  const run = (): Promise<void> => {
    running ??= turn()
      .then(
        () => {
          isReached = true
          if (!isReplaced) void returnUnused()
        },
        (error: unknown) => {
          if (isReached) log.warn('the database does not respond to this node', { error })
          isReached = false
          if (AWAY.test(codeOf(error))) connections.reset()
        },
      )
      .finally(() => {
        running = undefined
      })
    return running
  }
  const refuseIfAway = () => {
    if (isReplaced || (!isReached && monotonic() - heardMs > MAX_SILENCE_MS))
      throw refuse('unavailable', 'relay.storageUnavailable', {}, { code: STORAGE_UNAVAILABLE })
  }
  const timer = setInterval(() => void run(), TURN_MS)
  timer.unref()
  return {
    check() {
      refuseIfAway()
      if (monotonic() - heardMs <= MAX_SILENCE_MS) return undefined
      // The process was paused, or the machine suspended: the next turn shows whether the slices are still this node's.
      return (running ?? Promise.resolve()).then(run).then(refuseIfAway)
    },
    isReady: () => !isReplaced && !member.isDraining && monotonic() - heardMs < READY_SILENCE_MS,
    stop: () => clearInterval(timer),
  }
}

type FencingDeps = Pick<HeartbeatDeps, 'member' | 'lostAfter' | 'monotonic' | 'log'>

/** Fences nodes that have been silent for longer than `lostAfter`, while this node itself hears the database. */
function createFencing({ member, lostAfter, monotonic, log }: FencingDeps) {
  const seconds = Math.max(lostAfter, FENCE_SECONDS)
  /** Since when the database has responded to this node without a gap. */
  let steadyMs = monotonic()
  /** Since when nodes have been listed as lost. */
  let lostMs: ReadonlyMap<string, number> = new Map()
  return {
    interrupted() {
      steadyMs = monotonic()
    },
    /** After an outage of the database all nodes look lost, so this waits until each could have signaled again. */
    async fenceLost() {
      const nowMs = monotonic()
      const lost = await member.lost(seconds)
      lostMs = new Map(lost.map((node) => [node, lostMs.get(node) ?? nowMs]))
      if (nowMs - steadyMs < seconds * 1000) return
      for (const [node, sinceMs] of lostMs)
        if (nowMs - sinceMs >= SURE_MS && (await member.fence(node, seconds)))
          log.warn('a node was silent for too long: its unused quota is free again', { node })
    },
  }
}
