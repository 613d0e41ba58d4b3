import { describe, expect, it } from 'vitest'
import { logType } from '../../../../shared/enums.ts'
import { dataOf } from '../../../support/client.ts'
import { aClock } from '../../../support/clock.ts'
import { retries } from '../../../support/retries.ts'
import { aWorld, type Person } from '../../../support/world.ts'

const put = async (who: Person, key: string, value: unknown) =>
  void dataOf(await who.put('/api/option', { key, value }))
const history = async (who: Person, query = '') => dataOf(await who.get(`/api/option/history${query}`))
const newest = async (who: Person, key: string) => (await history(who, `?key=${key}&page_size=1`)).items[0]
const undo = (who: Person, id: number, more: object = {}) => who.post('/api/option/history/undo', { id, ...more })

describe('the history of options (docs/reference/options.md#history)', () => {
  it('lists each change with its author, time, method and both values; the newest first', async () => {
    const clock = aClock(1_800_000_000_000)
    const world = await aWorld({ clock })
    const admin = await world.user({ role: 10 })
    await put(world.admin, 'RetryTimes', 5)
    clock.advanceSeconds(60)
    await put(admin, 'RetryTimes', 5)
    await put(admin, 'RetryTimes', ' 6 ')
    await admin.post('/api/option/reset', { key: 'RetryTimes' })
    const page = await history(admin, '?key=RetryTimes')
    const common = { key: 'RetryTimes', kept: 'whole', is_cut: false, can_undo: true }
    const by = { user_id: admin.id, username: admin.username, created_at: 1_800_000_060 }
    expect(page).toMatchObject({ total: 3, page: 1, page_size: 10 })
    expect(page.items).toMatchObject([
      { ...common, ...by, origin: 'reset', before: '6', after: retries.usualText },
      { ...common, ...by, origin: 'edit', before: '5', after: '6' },
      { ...common, origin: 'edit', username: 'root', created_at: 1_800_000_000, before: retries.usualText, after: '5' },
    ])
    const second = await history(admin, '?key=RetryTimes&p=2&page_size=2')
    expect(second.items.map(({ id }: { id: number }) => id)).toEqual([page.items[2].id])
    expect(await history(admin, '?key=NoSuchOption')).toMatchObject({ items: [], total: 0 })
  })

  it('never contains a secret: only that it was set or cleared, which cannot be undone', async () => {
    const { admin, gateway } = await aWorld()
    for (const value of ['canary-1', 'canary-2', '']) await put(admin, 'SMTPToken', value)
    const { items } = await history(admin, '?key=SMTPToken')
    expect(items.map(({ before, after, can_undo }: Record<string, unknown>) => [before, after, can_undo])).toEqual([
      ['set', 'cleared', false],
      ['set', 'set', false],
      ['cleared', 'set', false],
    ])
    const rows = await gateway.inner.db.selectFrom('option_changes').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('canary')
    expect((await undo(admin, items[0].id)).message).toMatch(/a secret cannot be undone/)
    // Simulates a row of an older release in which this option was not yet a secret.
    const values = { kept: 'whole', before: '', after: 'canary-3' }
    await gateway.inner.db.updateTable('option_changes').set(values).where('id', '=', items[0].id).execute()
    for (const path of ['?key=SMTPToken', `/${items[0].id}`])
      expect(JSON.stringify(await history(admin, path))).not.toContain('canary')
    expect((await undo(admin, items[0].id)).message).toMatch(/a secret cannot be undone/)
    expect(gateway.inner.settings.get('SMTPToken')).toBe('')
  })

  it('cuts long values in lists, returns them complete one by one, and marks those too long to be stored', async () => {
    const { admin, gateway } = await aWorld()
    const long = 'x'.repeat(200_000)
    await put(admin, 'Notice', long)
    const listed = await newest(admin, 'Notice')
    expect([listed.is_cut, listed.after.length]).toEqual([true, 4000])
    const whole = dataOf(await admin.get(`/api/option/history/${listed.id}`))
    expect([whole.is_cut, whole.before, whole.after]).toEqual([false, '', long])
    await put(admin, 'Notice', 'y'.repeat(900_000))
    const tooLong = await newest(admin, 'Notice')
    expect(tooLong).toMatchObject({ kept: 'too_long', before: null, after: null, can_undo: false })
    expect((await undo(admin, tooLong.id)).message).toMatch(/too long to keep/)
    expect(gateway.inner.settings.get('Notice')).toHaveLength(900_000)
    expect((await admin.get('/api/option/history/999999')).message).toMatch(/no longer in the history/)
  })
})

describe('undoing one change', () => {
  it('restores the previous value, leaves a separate change and audit row, and can be undone in turn', async () => {
    const world = await aWorld()
    const { settings, ledger, db } = world.gateway.inner
    await put(world.admin, 'GroupRatio', '{"default":2}')
    await put(world.admin, 'RetryTimes', 5)
    const change = await newest(world.admin, 'GroupRatio')
    expect(await undo(world.admin, change.id)).toMatchObject({ success: true, data: null })
    expect(settings.get('GroupRatio')).toEqual({ default: 1, vip: 1, svip: 1 })
    expect(settings.get('RetryTimes')).toBe(5)
    const undone = await newest(world.admin, 'GroupRatio')
    expect(undone).toMatchObject({ origin: 'undo', before: change.after, after: change.before })
    await ledger.flush()
    const rows = await db.selectFrom('logs').select('content').where('type', '=', logType.manage).execute()
    expect(rows.at(-1)?.content).toBe('root undid a change of the option “Group ratio” (GroupRatio)')
    expect((await undo(world.admin, undone.id)).success).toBe(true)
    expect(settings.get('GroupRatio')).toEqual({ default: 2 })
  })

  it('is refused if the value has been changed since, unless it is forced', async () => {
    const world = await aWorld()
    const other = await world.user({ role: 10 })
    await put(world.admin, 'RetryTimes', 5)
    const { id } = await newest(world.admin, 'RetryTimes')
    await put(other, 'RetryTimes', 7)
    const refused = await undo(world.admin, id)
    expect(refused.body).toMatchObject({
      success: false,
      conflicts: [{ key: 'RetryTimes', value: '7', changed_by: other.username }],
    })
    expect(world.gateway.inner.settings.get('RetryTimes')).toBe(7)
    expect((await undo(world.admin, id, { even_if_changed: true })).success).toBe(true)
    expect(world.gateway.inner.settings.get('RetryTimes')).toBe(retries.usual)
  })

  it('is checked and guarded like any other change', async () => {
    const world = await aWorld()
    const admin = await world.user({ role: 10 })
    const { settings } = world.gateway.inner
    await put(world.admin, 'SMTPServer', 'one.example')
    await put(world.admin, 'SMTPServer', 'two.example')
    await put(world.admin, 'EmailVerificationEnabled', true)
    await put(world.admin, 'EmailVerificationEnabled', false)
    const [mail, flag] = [await newest(admin, 'SMTPServer'), await newest(admin, 'EmailVerificationEnabled')]
    expect((await undo(admin, mail.id, { even_if_changed: true })).message).toMatch(/Only the super administrator/)
    await put(world.admin, 'SMTPServer', '')
    expect((await undo(admin, flag.id)).message).toMatch(/fill in .* first/)
    await settings.set('PasswordLoginEnabled', 'false')
    await put(world.admin, 'PasswordLoginEnabled', true)
    const login = await newest(admin, 'PasswordLoginEnabled')
    expect((await undo(world.admin, login.id)).message).toMatch(/Password login cannot be turned off/)
    expect([
      settings.get('SMTPServer'),
      settings.get('EmailVerificationEnabled'),
      settings.get('PasswordLoginEnabled'),
    ]).toEqual(['', false, true])
    expect((await undo(admin, 999_999)).message).toMatch(/no longer in the history/)
  })

  it('is, like the history itself, only for operators', async () => {
    const world = await aWorld({ config: { OPTION_MIN_ROLE: '100' } })
    const [admin, user] = [await world.user({ role: 10 }), await world.user()]
    await put(world.admin, 'RetryTimes', 5)
    const { id } = await newest(world.admin, 'RetryTimes')
    for (const who of [admin, user])
      for (const reply of [
        await who.get('/api/option/history'),
        await who.get(`/api/option/history/${id}`),
        await undo(who, id),
      ])
        expect(reply.message).toBe('You do not have permission to do this')
    expect((await world.visitor.get('/api/option/history')).status).toBe(401)
    expect(world.gateway.inner.settings.get('RetryTimes')).toBe(5)
  })
})
