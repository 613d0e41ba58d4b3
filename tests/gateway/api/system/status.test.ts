import { describe, expect, it } from 'vitest'
import { aWorld } from '../../../support/world.ts'

const fields = `version start_time setup system_name logo footer_html server_address docs_link top_up_link
  email_verification turnstile_check github_oauth linuxdo_oauth telegram_oauth wechat_login oidc_enabled
  turnstile_site_key github_client_id linuxdo_client_id telegram_bot_name wechat_qrcode oidc_client_id
  oidc_authorization_endpoint price min_topup usd_exchange_rate quota_per_unit quota_remind_threshold enable_online_topup pay_methods
  display_in_currency enable_batch_update enable_drawing enable_task enable_data_export default_collapse_sidebar
  mj_notify_enabled response_cache_enabled demo_site_enabled self_use_mode_enabled default_use_auto_group data_export_default_time chats
  chat_link chat_link2 chat_devices keep_bodies keep_bodies_hours keep_bodies_viewers register_enabled password_login_enabled`
  .split(/\s+/)
  .sort()

describe('the public status (docs/reference/api.md#status)', () => {
  it('has exactly the fields of the table', async () => {
    const { visitor, url } = await aWorld()
    const { data } = await visitor.get('/api/status')
    expect(Object.keys(data).sort()).toEqual(fields)
    expect(data).toMatchObject({
      setup: true,
      system_name: 'Switchyard',
      server_address: url,
      quota_per_unit: 500_000,
      chat_link: '',
    })
  })

  it('answers without the database', async () => {
    const { visitor, gateway } = await aWorld()
    const release = Promise.withResolvers<void>()
    const held = gateway.inner.db.connection().execute(() => release.promise)
    expect((await visitor.get('/api/status')).success).toBe(true)
    expect((await visitor.get('/api/notice')).success).toBe(true)
    release.resolve()
    await held
  })

  it('offers online top-up once the merchant is complete', async () => {
    const world = await aWorld({ options: { PayAddress: 'https://pay.example', EpayId: '7' } })
    const offered = async () => (await world.visitor.get('/api/status')).data.enable_online_topup
    expect(await offered()).toBe(false)
    await world.option('EpayKey', 'a-key')
    expect(await offered()).toBe(true)
  })

  it('returns notice, about and home page unchanged', async () => {
    const world = await aWorld({
      options: { Notice: '# hi', About: '<b>us</b>', HomePageContent: 'https://home.example' },
    })
    const texts = await Promise.all(
      ['notice', 'about', 'home_page_content'].map((name) => world.visitor.get(`/api/${name}`)),
    )
    expect(texts.map(({ data }) => data)).toEqual(['# hi', '<b>us</b>', 'https://home.example'])
  })

  it('reports to administrators how many connections are open', async () => {
    const { admin } = await aWorld()
    expect((await admin.get('/api/status/test')).body).toEqual({
      success: true,
      message: '',
      data: null,
      http_stats: { active_connections: expect.any(Number) },
    })
  })
})
