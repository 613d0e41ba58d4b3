import { expect, it } from 'vitest'
import { jobRunStore } from '../../../gateway/store/job-runs.ts'
import type { JobRunRow } from '../../../gateway/store/schema/schema-jobs.ts'
import { onEachDatabase } from '../../support/databases.ts'

onEachDatabase('the last runs of jobs (docs/reference/jobs.md#a-run)', (db) => {
  it('are one a job, and of several nodes the latest', async () => {
    const store = jobRunStore(db())
    const run = (name: string, started_at: number, outcome: JobRunRow['outcome'] = 'done'): JobRunRow => ({
      name,
      started_at,
      took_ms: 5,
      outcome,
      message: 'job.removed',
      params: '{"n":1}',
      username: '',
    })
    await store.put(run('sessions', 100))
    await store.put(run('sessions', 200, 'failed'))
    await store.put(run('sessions', 150))
    await store.put(run('retention', 50))
    const rows = (await store.all()).toSorted((one, other) => one.name.localeCompare(other.name))
    expect(rows).toEqual([run('retention', 50), run('sessions', 200, 'failed')])
  })

  it('are replaced by earlier ones where they were noted by a clock that was ahead', async () => {
    const store = jobRunStore(db())
    const run = { name: 'conversations', took_ms: 5, outcome: 'done', message: '', params: '{}', username: '' } as const
    await store.put({ ...run, started_at: 40 * 86_400 })
    await store.put({ ...run, started_at: 300 })
    expect((await store.all()).filter(({ name }) => name === run.name)).toEqual([{ ...run, started_at: 300 }])
  })
})
