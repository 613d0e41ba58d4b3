import { describe, expect, it } from 'vitest'
import { pricingDefaults } from '../../../gateway/settings/pricing-defaults/index.ts'
import { dataOf } from '../../support/client.ts'
import { reconcile } from '../../support/reconcile.ts'
import { SIBLING_HASH, siblingDatabase } from '../../support/sibling-database.ts'
import { aWorld } from '../../support/world.ts'
import { countsIn, importing } from './importing.ts'

describe('a one-api database', () => {
  it('comes with its own columns, types of channels and states', async () => {
    const world = await aWorld()
    const password = SIBLING_HASH
    const bytes = await siblingDatabase('one-api', {
      users: [
        { id: 1, username: 'root', password, role: 100, quota: 500_000, used_quota: 3, aff_code: 'a' },
        { id: 2, username: 'person', password, quota: 70, aff_code: 'b', inviter_id: 1 },
        { id: 3, username: 'deleted_x', password, status: 3, aff_code: 'c' },
      ],
      tokens: [
        { user_id: 1, key: 'r'.repeat(48), name: 'of root', unlimited_quota: 1, used_quota: 3 },
        {
          user_id: 2,
          key: 'p'.repeat(48),
          name: 'limited',
          remain_quota: 5,
          models: 'gpt-4o,gpt-4o-mini',
          subnet: '10.0.0.0/8,127.0.0.1',
        },
      ],
      channels: [
        { id: 1, type: 24, key: 'g', name: 'gemini', models: 'gemini-x' },
        { id: 2, type: 29, key: 'q', name: 'groq', models: 'llama' },
        {
          id: 3,
          type: 33,
          key: '',
          name: 'bedrock',
          models: 'claude',
          config: '{"region":"us-east-1","ak":"AK","sk":"SK"}',
        },
        {
          id: 4,
          type: 3,
          key: 'z',
          name: 'azure',
          models: 'gpt-4o',
          base_url: 'https://x.openai.azure.com',
          config: '{"api_version":"2024-06-01"}',
          system_prompt: 'Be kind.',
        },
        { id: 5, type: 38, key: 'd', name: 'deepl', models: 'deepl' },
      ],
      options: [
        { key: 'ModelRatio', value: '{"gpt-4o":9}' },
        { key: 'QuotaPerUnit', value: '1000' },
      ],
      logs: [
        {
          user_id: 2,
          type: 2,
          content: 'used',
          elapsed_time: 2600,
          created_at: 9e15,
          quota: 9e15,
          prompt_tokens: 9e15,
        },
        { user_id: 2, type: 5, content: 'a test' },
      ],
    })
    const done = await importing(world).imported(bytes, { history: true, root: 'mine', overwrite: true })
    expect(countsIn(done.result?.tables ?? [])).toEqual({
      users: '1/1/1/0',
      tokens: '2/0/0/0',
      channels: '4/0/0/1',
      options: '2/0/0/0',
      redemptions: '0/0/0/0',
      top_ups: '0/0/0/0',
      logs: '2/0/0/0',
    })
    const { db } = world.gateway.inner
    const { id } = await db.selectFrom('users').select('id').where('username', '=', 'person').executeTakeFirstOrThrow()
    const tokens = await db.selectFrom('tokens').selectAll().orderBy('id').execute()
    expect(tokens).toMatchObject([
      { user_id: 1, name: 'of root', used_quota: 3 },
      {
        user_id: id,
        model_limits_enabled: 1,
        model_limits: 'gpt-4o,gpt-4o-mini',
        allow_ips: '10.0.0.0/8\n127.0.0.1',
        remain_quota: 5,
      },
    ])
    const channels = dataOf(await world.admin.get('/api/channel?id_sort=true&page_size=50')).reverse()
    expect(channels).toMatchObject([
      { name: 'gemini', type: 24 },
      { name: 'groq', type: 1, base_url: 'https://api.groq.com/openai' },
      { name: 'bedrock', type: 33, status: 1 },
      { name: 'azure', type: 3, other: '2024-06-01', setting: expect.stringContaining('Be kind.') },
    ])
    expect([...world.gateway.inner.registry.all()].find(({ name }) => name === 'bedrock')?.key).toBe('AK|SK|us-east-1')
    const logs = await db.selectFrom('logs').selectAll().where('type', '=', 2).execute()
    expect(logs).toMatchObject([{ content: 'used', use_time: 3, user_id: id, created_at: 253_402_300_799 }])
    expect([logs[0]?.quota, logs[0]?.prompt_tokens], 'sums of years stay numbers').toEqual([1e12, 1e12])
    expect(world.gateway.inner.settings.get('QuotaPerUnit')).toBe(1000)
    expect(await reconcile(db)).toEqual([])
  })

  it('reports a quota unit of another value, and a group without a ratio', async () => {
    const world = await aWorld()
    const bytes = await siblingDatabase('one-api', {
      users: [{ id: 1, username: 'person', password: '', group: 'gold', aff_code: 'b' }],
      options: [{ key: 'QuotaPerUnit', value: '1000' }],
    })
    const { report } = await importing(world).checked(bytes, { options: 'none' })
    const told = report?.remarks.map(({ row, text }) => `${row}: ${text}`)
    expect(told).toContainEqual('gold: The group gold is in use but has no ratio. Add it to the group ratios.')
    expect(told).toContainEqual('person: The password cannot be verified here. Set a new one.')
    expect(told).toContainEqual(expect.stringContaining('(1000 to the dollar) than here (500000)'))
    const { report: other } = await importing(world).checked(bytes, { options: 'prices', overwrite: true })
    expect(countsIn(other?.tables ?? [])).toMatchObject({ options: '1/0/0/0' })
    const unit = { key: 'QuotaPerUnit', before: '500000', after: '1000', is_part: false }
    expect(other?.settings).toEqual([unit])
    expect(other?.remarks.map(({ text }) => text)).toContainEqual(
      expect.stringContaining('changes its value here from 500000 to 1000 to the dollar'),
    )
  })

  it('changes nothing silently: each setting is reported with both values, and a quota unit and groups in use stay', async () => {
    const world = await aWorld()
    await world.user({ group: 'vip' })
    const bytes = await siblingDatabase('one-api', {
      options: [
        { key: 'QuotaPerUnit', value: '1000' },
        { key: 'GroupRatio', value: '{"default":1}' },
        { key: 'Notice', value: 'n'.repeat(2000) },
        { key: 'ModelRatio', value: JSON.stringify({ ...pricingDefaults.ModelRatio, 'gpt-4o': 9, mine: 2 }) },
        { key: 'SMTPToken', value: 'their-secret' },
      ],
    })
    const steps = importing(world)
    const { report } = await steps.checked(bytes)
    expect(report?.settings).toEqual([
      { key: 'Notice', before: '', after: `${'n'.repeat(499)}…`, is_part: true },
      { key: 'ModelRatio', before: '{"gpt-4o":1.25}', after: '{"gpt-4o":9,"mine":2}', is_part: true },
    ])
    const told = report?.remarks.map(({ row, outcome, text }) => `${row} ${outcome}: ${text}`) ?? []
    expect(told).toContainEqual(expect.stringMatching(/^QuotaPerUnit left_out: .*only if settings that were changed/))
    expect(told).toContainEqual(expect.stringMatching(/^QuotaPerUnit note: .*\(1000 to the dollar\)/))
    expect(told).toContainEqual(expect.stringMatching(/^GroupRatio left_out: .*in use here: vip\./))
    expect(JSON.stringify(report)).not.toContain('their-secret')
    // A confirmation covers only the reported changes.
    await world.option('Notice', 'changed meanwhile')
    await world.option('Notice', 'again')
    dataOf(await world.admin.post('/api/import/confirm', { report: report?.id }))
    expect(await steps.over()).toMatchObject({ stage: 'failed', error: expect.stringContaining('Run the check again') })
    expect(world.gateway.inner.settings.get('QuotaPerUnit')).toBe(500_000)
  })
})
