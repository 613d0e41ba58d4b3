import type { FairQueue } from '../../base/fair-queue.ts'
import type { ClientUsage } from '../../channels/health/client-usage.ts'
import type { RateWindow } from '../../shared-state/rates.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { WordGuard } from '../content-filter/word-guard.ts'
import type { FailureDeps } from '../failure.ts'
import type { BodyMemory } from '../intake/body-memory.ts'
import type { MediaFetcher } from '../media/fetch.ts'
import type { ChargeDeps } from '../metering/charge.ts'
import type { RequestDeps } from '../relayed-request.ts'
import type { VendorQueryDeps } from './ask-vendor.ts'
import type { ImageLinks } from './image-links.ts'
import type { TaskPolls } from './task-polls.ts'

export type TaskDeps = RequestDeps &
  FailureDeps &
  ChargeDeps &
  VendorQueryDeps &
  Readonly<{
    db: Db
    clientUsage: ClientUsage
    bodies: BodyMemory
    words: WordGuard
    links: ImageLinks
    polls: Pick<TaskPolls, 'drawing'>
    /** Fetches files named by URL (docs/reference/limits.md#files-named-by-url). */
    mediaFor: MediaFetcher['fetchFor']
    maxImageBytes: number
    imageQueue: FairQueue
    /** Refused orders by account, whose rows are stored without a charge. */
    refusedRows: RateWindow
  }>
