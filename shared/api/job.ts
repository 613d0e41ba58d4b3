import { z } from 'zod'
import { jobNames } from '../jobs.ts'
import { call } from './call.ts'

const name = z.enum(jobNames)

const lastRun = z
  .object({
    started_at: z.int().describe('Unix seconds.'),
    took_ms: z.int(),
    outcome: z.enum(['done', 'failed', 'stopped']),
    message: z.string().describe('The result, or the error; empty if there is nothing to report.'),
    username: z.string().describe('The user who started it; empty for scheduled runs.'),
  })
  .meta({ id: 'JobRun' })
export type LastJobRun = z.infer<typeof lastRun>

const jobView = z
  .object({
    name,
    title: z.string(),
    about: z.string().describe('Description of the job in one or two sentences.'),
    every_seconds: z.number().describe('Seconds between runs; 0 if it is only started manually.'),
    is_nightly: z.boolean().describe('The job works once a night; its other runs only check whether work is due.'),
    is_on_every_node: z.boolean().describe('Each of several nodes runs the job.'),
    running: z
      .object({ started_at: z.int().describe('Unix seconds.'), username: z.string() })
      .nullable()
      .describe('The run in progress on this node.'),
    is_elsewhere: z.boolean().describe('Another node is running it.'),
    last: lastRun.nullable().describe('Null before the first run that had work to do.'),
    next_at: z.int().nullable().describe('Unix seconds; null if it is only started manually.'),
  })
  .meta({ id: 'Job' })
export type JobView = z.infer<typeof jobView>

/** Background jobs (docs/reference/jobs.md). */
export const job = {
  list: call({
    method: 'GET',
    path: '/api/job',
    summary:
      'Lists the background jobs with their descriptions, the result of their last run, and the time of the next.',
    access: 'admin',
    answer: z.array(jobView),
  }),
  run: call({
    method: 'POST',
    path: '/api/job/:name/run',
    summary: 'Runs a background job now; refused while it is running, and within ten seconds of the last run by hand.',
    access: 'admin',
    params: z.object({ name }),
    answer: z.null(),
  }),
}
