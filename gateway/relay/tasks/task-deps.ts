import type { FairTurns } from '../../base/fair-turns.ts'
import type { ClientUsage } from '../../channels/health/client-usage.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { WordGuard } from '../content-filter/word-guard.ts'
import type { FailureDeps } from '../delivery/failure.ts'
import type { BodyMemory } from '../intake/body-memory.ts'
import type { LifeCycleDeps } from '../life-cycle.ts'
import type { MediaFetcher } from '../media/fetch.ts'
import type { ChargeDeps } from '../metering/charge.ts'
import type { SendDeps } from '../upstream/send.ts'
import type { ImageLinks } from './image-links.ts'
import type { TaskPolls } from './task-polls.ts'

/** What asking a vendor of tasks takes. */
export type AskDeps = Pick<SendDeps, 'pools' | 'userAgent' | 'geminiVersion' | 'claudeHeaders' | 'accessTokens'>

/** What a task takes from its request to its last word: the stages that relayed calls go through, and its rows. */
export type TaskDeps = LifeCycleDeps &
  FailureDeps &
  ChargeDeps &
  AskDeps &
  Readonly<{
    db: Db
    clientUsage: ClientUsage
    bodies: BodyMemory
    words: WordGuard
    links: ImageLinks
    polls: Pick<TaskPolls, 'drawing'>
    /** Files that are named by URL, from public addresses alone. */
    mediaFor: MediaFetcher['fetchFor']
    /** The largest image that is passed on, in bytes. */
    maxImageBytes: number
    /** Images that are fetched at once over channels. */
    imageTurns: FairTurns
  }>
