import type { Jobs } from '../../gateway/base/jobs.ts'

/** For a part that is tested by itself: its jobs never take a turn. */
export const noJobs: Jobs = { begin: () => ({ stop: async () => {} }) }
