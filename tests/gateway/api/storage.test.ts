import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chatAnswer, chatStream } from '../../support/chat.ts'
import { SQLITE } from '../../support/tables.ts'
import { aWorld, PASSWORD, type World } from '../../support/world.ts'

/** Takes the database's write lock as another program would. */
function locked({ folder }: World): () => void {
  const other = new Database(join(folder, 'switchyard.db'))
  onTestFinished(() => void other.close())
  other.exec('begin immediate')
  return () => void other.exec('rollback')
}

describe('a console call whose write the database refuses (docs/reference/reliability.md#faults)', () => {
  it('is answered with 503 and the reason, in the caller’s language, and works once the lock is gone', async () => {
    const world = await aWorld({ config: SQLITE })
    const unlock = locked(world)
    const login = { username: 'root', password: PASSWORD }
    const names = { 'accept-language': 'zh' }
    expect(await world.visitor.post('/api/user/login', login)).toMatchObject({
      status: 503,
      message: 'Another program has locked the database of the gateway. Try again later.',
    })
    expect(await world.admin.put('/api/option', { key: 'Notice', value: 'x' })).toMatchObject({ status: 503 })
    const told = await fetch(`${world.url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...names },
      body: JSON.stringify(login),
    })
    expect([told.status, (await told.json()).message]).toEqual([503, '其他程序锁定了网关的数据库，请稍后重试。'])
    unlock()
    expect((await world.visitor.post('/api/user/login', login)).success).toBe(true)
  })

  it('does not stop readings, calls and streams, which are charged once the lock is gone', async () => {
    const world = await aWorld({ config: SQLITE, options: { ModelRatio: { m: 1 }, CompletionRatio: { m: 1 } } })
    await world.channel({ models: 'm' })
    const alice = await world.user({ quota: 1_000_000 })
    await alice.key()
    const unlock = locked(world)
    world.upstream.answers({ body: chatAnswer('ab', { prompt: 30, completion: 10 }) })
    expect((await alice.asks('m', 'hi')).status).toBe(200)
    world.upstream.reset()
    world.upstream.answers({ events: chatStream(['a', 'b'], { prompt: 30, completion: 10 }) })
    const streamed = await alice.asks('m', 'hi', { stream: true })
    expect([streamed.status, streamed.text.includes('[DONE]')]).toEqual([200, true])
    expect((await world.visitor.get('/api/status')).success).toBe(true)
    expect((await alice.get('/api/user/self')).success).toBe(true)
    unlock()
    expect(await alice.quota()).toBe(1_000_000 - 2 * 40)
  })
})
