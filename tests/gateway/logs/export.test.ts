import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { NewLog } from '../../../gateway/store/schema/schema.ts'
import { type Client, dataOf } from '../../support/client.ts'
import { aClock } from '../../support/clock.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'

const NOW = 1_750_000_000
let world: World
let alice: Person
beforeAll(async () => {
  world = await aWorld({ clock: aClock(NOW * 1000) })
  alice = await world.user({ username: 'alice' })
})
beforeEach(async () => {
  await world.gateway.inner.ledger.flush()
  await world.gateway.inner.db.deleteFrom('logs').execute()
})

describe('the usage log as a file (docs/reference/logs.md#export)', () => {
  it('is a table for spreadsheets: every column, values with commas quoted, and no formulas', async () => {
    const channel = await world.channel({ name: 'Berlin, "east"' })
    note({ ...used, channel_id: channel, retries: 1, user_id: alice.id, username: 'alice', token_name: '=1+1' })
    const response = await download(world.admin, '/api/log/export?type=2')
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="usage-log-2025-06-15.csv"')
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(new TextDecoder().decode(bytes).split('\r\n')).toEqual([
      'time,created_at,type,kind,username,token_name,group,model_name,prompt_tokens,completion_tokens,quota,usd,use_time,is_stream,channel,channel_name,retries,ip,content,request_id',
      `2025-06-15T15:06:40.000Z,${NOW},2,Usage,alice,'=1+1,vip,gpt-4o,10,5,1250000,2.50,3,1,${channel},"Berlin, ""east""",1,10.0.0.1,"two\nlines",an-id`,
      '',
    ])
  })

  it('writes refunds as numbers below zero', async () => {
    note({ ...used, user_id: alice.id, username: 'alice', quota: -250_000 })
    const text = await (await download(alice, '/api/log/self/export')).text()
    expect(text).toContain(',-250000,-0.50,')
  })

  it('contains for a user only their own rows, without channels, for any filter', async () => {
    note({ ...used, user_id: alice.id, username: 'alice', channel_id: 7 })
    note({ ...used, content: 'of another', user_id: 99, username: 'bob' })
    const text = await (await download(alice, '/api/log/self/export?username=bob&channel=9')).text()
    expect(text.split('\r\n')).toHaveLength(3)
    expect(text).toContain('two\nlines')
    expect(text).not.toMatch(/channel|retries|of another/)
    expect(await (await download(alice, '/api/log/self/export?type=5')).text()).toMatch(/^time,[^\r]*\r\n$/)
  })

  it('is the list as JSON, under the same filters, however long it is', async () => {
    for (let n = 1; n <= 1201; n += 1) note({ content: `row ${n}`, model_name: n % 2 ? 'odd' : 'even', other: receipt })
    const all = await rowsOf(world.admin, '/api/log/export?format=json&type=2')
    expect(all.map(({ content }) => content)).toEqual(Array.from({ length: 1201 }, (_, n) => `row ${1201 - n}`))
    expect(all.slice(0, 2)).toEqual(dataOf(await world.admin.get('/api/log?type=2&page_size=2')).items)
    expect(await rowsOf(world.admin, '/api/log/export?format=json&model_name=even')).toHaveLength(600)
    expect(await rowsOf(alice, '/api/log/self/export?format=json')).toEqual([])
    note({ content: 'hers', user_id: alice.id, other: receipt })
    expect(await rowsOf(alice, '/api/log/self/export?format=json')).toMatchObject([
      { id: 1, content: 'hers', channel: 0, other: '{"frt":80}' },
    ])
  })

  it('of all accounts leaves a row with who downloaded it', async () => {
    await rowsOf(world.admin, '/api/log/export?format=json&username=alice')
    await rowsOf(alice, '/api/log/self/export?format=json')
    const { items } = dataOf(await world.admin.get('/api/log?type=3'))
    expect(items).toMatchObject([{ content: 'root exported the usage log of all accounts' }])
    expect(JSON.parse(items[0].other).admin_info).toMatchObject({ filter: { username: 'alice' }, actor: { id: 1 } })
  })

  it('is not for strangers, of all not for users, and in no other form', async () => {
    expect((await world.visitor.get('/api/log/self/export')).status).toBe(401)
    expect(await alice.get('/api/log/export')).toMatchObject({ success: false, data: undefined })
    expect(await alice.get('/api/log/self/export?format=xml')).toMatchObject({ success: false, status: 200 })
  })
})

describe('a file whose client does not read it yet', () => {
  it('is the only one of its account until it is over; hanging up ends it', async () => {
    await fill(6000)
    const begun = await beginning(alice)
    const second = await alice.get('/api/log/self/export')
    expect(second).toMatchObject({ status: 429, message: expect.stringContaining('still running') })
    begun.abort()
    await expect.poll(async () => (await alice.get('/api/log/self/export?type=5')).status).toBe(200)
  })

  it('is limited to three exports of all accounts at once, which do not block exports of own rows, nor the reverse', async () => {
    await fill(12_000)
    const four = await Promise.all([1, 2, 3, 4].map(() => world.user({ role: 10 })))
    const begun = await Promise.all(four.slice(0, 3).map((manager) => beginning(manager, '/api/log/export')))
    const late = await four[3]?.get('/api/log/export?type=5')
    expect(late).toMatchObject({ status: 429, message: expect.stringContaining('Others are exporting') })
    begun.push(await beginning(alice))
    expect((await (await world.user()).get('/api/log/self/export?type=5')).status).toBe(200)
    for (const one of begun) one.abort()
    await expect.poll(async () => (await four[3]?.get('/api/log/export?type=5'))?.status).toBe(200)
  })

  it('does not count where only its head was requested', async () => {
    await fill(20)
    for (const who of [alice, world.admin, await world.user()]) {
      const head = await fetch(`${world.url}/api/log/self/export`, { method: 'HEAD', headers: who.identity() })
      expect(head.status).toBe(200)
    }
    await expect.poll(async () => (await alice.get('/api/log/self/export?type=5')).status).toBe(200)
  })

  it('is cut off once its account is banned', async () => {
    const carol = await world.user({ username: 'carol' })
    await fill(6000, carol)
    const { reader } = await beginning(carol)
    dataOf(await world.admin.post('/api/user/manage', { id: carol.id, action: 'disable' }))
    const rest = async () => {
      while (!(await reader.read()).done);
    }
    await expect(rest()).rejects.toThrow('terminated')
  })
})

const download = (who: Client, path: string) =>
  fetch(world.url + path, { headers: { 'accept-language': 'en', ...who.identity() } })

async function rowsOf(who: Client, path: string): Promise<{ content: string }[]> {
  return (await download(who, path)).json() as Promise<{ content: string }[]> // checked against the API document
}

/** A download of which only the first piece is read; the rest exceeds all buffers in between. */
async function beginning(who: Client, path = '/api/log/self/export') {
  const control = new AbortController()
  const headers = { ...who.identity(), 'accept-encoding': 'identity' }
  const response = await fetch(world.url + path, { headers, signal: control.signal })
  const reader = response.body?.getReader()
  if (!reader) throw new Error('no body')
  await reader.read()
  return { reader, abort: () => control.abort() }
}

/** Adds rows of several KB each, for one user or for every user. */
async function fill(count: number, who?: Person): Promise<void> {
  const people = who
    ? [who.id]
    : (await world.gateway.inner.db.selectFrom('users').select('id').execute()).map(({ id }) => id)
  const content = 'x'.repeat(4000)
  for (let n = 0; n < count; n += 1) note({ content, user_id: people[n % people.length] ?? 0 })
  await world.gateway.inner.ledger.flush()
}

const receipt = JSON.stringify({ frt: 80, admin_info: { use_channel: ['7'] } })

const used = {
  content: 'two\nlines',
  token_name: 'laptop',
  model_name: 'gpt-4o',
  quota: 1_250_000,
  prompt_tokens: 10,
  completion_tokens: 5,
  use_time: 3,
  is_stream: 1,
  group: 'vip',
  ip: '10.0.0.1',
  request_id: 'an-id',
}

const note = (fields: Partial<NewLog>) =>
  world.gateway.inner.auditLog.record({ user_id: 99, created_at: NOW, type: 2, ...fields })
