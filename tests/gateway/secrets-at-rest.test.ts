import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { createLogger } from '../../gateway/base/log/logger.ts'
import { encodeOption, optionKeys, options } from '../../shared/options/index.ts'
import { dataOf } from '../support/client.ts'
import { textsIn } from '../support/files-with.ts'
import { SQLITE } from '../support/tables.ts'
import { aWorld, PASSWORD } from '../support/world.ts'

const secretOptions = optionKeys.filter((key) => options[key].secret)

describe('secrets (docs/reference/security.md#secrets-at-rest)', () => {
  it('are not in clear in any file: neither database, write-ahead log, journals, backups nor the log', async () => {
    const lines: string[] = []
    const log = createLogger('debug', { target: { write: (line) => void lines.push(line) } })
    const world = await aWorld({ log, config: SQLITE, options: { ModelRatio: { m: 1, proxied: 1 } } })
    const { admin, folder, upstream } = world
    const canaries: string[] = []
    const canary = (name: string): string => {
      const text = `canary${canaries.length}${name}${'x'.repeat(16)}`
      canaries.push(text)
      return text
    }
    const setting = JSON.stringify({ proxy: `http://me:${canary('proxy')}@127.0.0.1:8` })
    const override = JSON.stringify({ headers: { 'x-secret': canary('header') } })
    await world.channel({ models: 'proxied', key: canary('behind'), setting, param_override: override })
    await world.channel({ models: 'm', key: `${canary('one')}\n${canary('two')}` })
    for (const key of secretOptions) {
      const value = encodeOption(key, canary(key) as never)
      const answer = await admin.put('/api/option', { key, value })
      expect(answer.success, `${key}: ${answer.message}`).toBe(true)
    }
    const person = await world.user({ quota: 1_000_000 })
    const hook = { notify_type: 'webhook', webhook_url: 'https://hooks.example/', webhook_secret: canary('webhook') }
    expect(await person.put('/api/user/setting', hook)).toMatchObject({ success: true })
    canaries.push(await person.key())
    const { secret } = dataOf(await person.post('/api/user/2fa/setup', { password: PASSWORD }))
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: world.clock.now() })
    const { backup_codes } = dataOf(await person.post('/api/user/2fa/enable', { code }))
    canaries.push(secret, ...backup_codes, dataOf(await admin.get('/api/user/token')))
    // A vendor whose refusal quotes the key.
    upstream.answers(({ headers }) => ({
      status: 401,
      body: { error: { message: `unknown: ${headers.authorization}` } },
    }))
    await person.asks('m', 'hello')
    await person.asks('proxied', 'hello')
    expect(dataOf(await admin.post('/api/backup')).is_verified).toBe(true)
    await world.gateway.inner.ledger.flush()
    expect(textsIn(folder, canaries), 'as files stand while it runs').toEqual([])
    expect(canaries.filter((text) => lines.join('\n').includes(text))).toEqual([])
    await world.gateway.stop()
    expect(textsIn(folder, canaries)).toEqual([])
    expect(canaries.length).toBeGreaterThan(secretOptions.length + 10)
    expect(lines.length).toBeGreaterThan(0)
  })

  it('of one channel cannot be used by another: no request is sent with them', async () => {
    const world = await aWorld({ options: { RetryTimes: 0, ModelRatio: { one: 1, two: 1 } } })
    const { db } = world.gateway.inner
    const ids = [
      await world.channel({ models: 'one', key: 'key-of-one' }),
      await world.channel({ models: 'two', key: 'key-of-two' }),
    ]
    const person = await world.user({ quota: 1_000_000 })
    expect((await person.asks('one', 'hello')).status).toBe(200)
    const rows = await db.selectFrom('channels').select(['id', 'key']).where('id', 'in', ids).orderBy('id').execute()
    await db
      .updateTable('channels')
      .set({ key: rows[1]?.key ?? '' })
      .where('id', '=', rows[0]?.id ?? 0)
      .execute()
    await db
      .updateTable('channels')
      .set({ key: rows[0]?.key ?? '' })
      .where('id', '=', rows[1]?.id ?? 0)
      .execute()
    const before = world.upstream.requests.length
    const key = await person.key()
    const again = await world.restart()
    for (const model of ['one', 'two']) {
      const answer = await fetch(`${again.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hello' }] }),
      })
      expect(answer.status, model).toBeGreaterThanOrEqual(400)
    }
    expect(world.upstream.requests.length).toBe(before)
  })

  it('are in files that only their owner can read, for every file the gateway creates', async () => {
    const world = await aWorld({ config: SQLITE })
    await world.channel()
    dataOf(await world.admin.post('/api/backup'))
    await world.option('RetryTimes', 3)
    const open = readdirSync(world.folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(world.folder, name))
      .filter((path) => (statSync(path).mode & 0o077) !== 0)
    expect(open).toEqual([])
  })
})
