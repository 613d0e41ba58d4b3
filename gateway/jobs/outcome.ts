import { GatewayError } from '../base/errors.ts'
import { randomKey } from '../base/ids.ts'
import { type Job, type JobReport, type JobRun, nothingDue } from '../base/jobs.ts'
import type { Logger } from '../base/logger.ts'
import type { JobRunRow } from '../store/schema-jobs.ts'

/** How a run ended, as it is kept. */
export type Outcome = Pick<JobRunRow, 'outcome' | 'message' | 'params'>

const ID_LENGTH = 12

/**
 * Runs a job's work and tells how it ended; never throws. A refusal of ours is told in its words, everything else as the id
 * under which the log has it: what an error says may hold what nobody should read.
 */
export async function outcomeOf({ name, work }: Job, run: JobRun, log: Logger): Promise<Outcome | typeof nothingDue> {
  try {
    const told = await work(run)
    if (told === nothingDue) return nothingDue
    return saying(run.signal.aborted ? 'stopped' : 'done', told)
  } catch (error) {
    if (run.signal.aborted) return saying('stopped')
    if (error instanceof GatewayError) return saying('failed', error)
    const id = randomKey(ID_LENGTH)
    log.error('background job failed', { job: name, id, error })
    return saying('failed', { key: 'job.fault', params: { id } })
  }
}

const saying = (outcome: Outcome['outcome'], report?: JobReport): Outcome => ({
  outcome,
  message: report?.key ?? '',
  params: JSON.stringify(report?.params ?? {}),
})
