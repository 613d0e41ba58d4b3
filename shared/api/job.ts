import { z } from 'zod'
import { jobNames } from '../jobs.ts'
import { call } from './call.ts'

const name = z.enum(jobNames)

const lastRun = z
  .object({
    started_at: z.int().describe('Unix seconds.'),
    took_ms: z.int(),
    outcome: z.enum(['done', 'failed', 'stopped']),
    message: z.string().describe('Its result, or why it failed; empty if there is nothing to report.'),
    username: z.string().describe('The user who started it; empty for scheduled runs.'),
  })
  .meta({ id: 'JobRun' })
export type LastJobRun = z.infer<typeof lastRun>

const jobView = z
  .object({
    name,
    title: z.string(),
    about: z.string().describe('What it does, in one or two sentences.'),
    every_seconds: z.number().describe('Seconds between runs; 0 if it is only started manually.'),
    is_nightly: z.boolean().describe('Does something once a night only; its turns are to look.'),
    is_on_every_node: z.boolean().describe('Each of several nodes does it for itself.'),
    running: z
      .object({ started_at: z.int().describe('Unix seconds.'), username: z.string() })
      .nullable()
      .describe('The run that is on its way on this node.'),
    is_elsewhere: z.boolean().describe('Another node is running it.'),
    last: lastRun.nullable().describe('Null before the first that had something to do.'),
    next_at: z.int().nullable().describe('Unix seconds; null if it is only started manually.'),
  })
  .meta({ id: 'Job' })
export type JobView = z.infer<typeof jobView>

/** Background jobs (docs/reference/jobs.md). */
export const job = {
  list: call({
    method: 'GET',
    path: '/api/job',
    summary: 'Lists the background jobs: what they do, how the last run ended and when the next one is due.',
    access: 'admin',
    answer: z.array(jobView),
  }),
  run: call({
    method: 'POST',
    path: '/api/job/:name/run',
    summary: 'Runs a background job now; refuses while it is running, and more than once in ten seconds.',
    access: 'admin',
    params: z.object({ name }),
    answer: z.null(),
  }),
}
