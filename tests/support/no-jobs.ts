import type { Jobs } from '../../gateway/base/jobs.ts'

/** For testing a part in isolation: its jobs never run. */
export const noJobs: Jobs = { begin: () => ({ stop: async () => {} }) }
