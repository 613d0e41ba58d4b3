import { expect, it } from 'vitest'
import { aWarningLog } from '../../../support/warnings.ts'
import { aWorld } from '../../../support/world.ts'
import { aBrowser } from './browser.ts'
import { aProvider } from './fake-provider.ts'

it('a Telegram login that fails its signature is one line a minute in the log (docs/reference/accounts.md#login-providers)', async () => {
  const log = aWarningLog()
  const world = await aWorld({ log, options: { TelegramBotToken: '1:bot-token', TelegramOAuthEnabled: true } })
  const now = Math.floor(world.clock.now() / 1000)
  const browser = aBrowser(world.url)
  await browser.get('/api/oauth/state')
  const ask = () => browser.get(`/api/oauth/telegram/login?id=5&auth_date=${now}&hash=${'0'.repeat(64)}`)
  expect((await ask()).message).toBe('Invalid request signature')
  await ask()
  expect(log.warnings).toEqual([{ message: 'a login by Telegram was refused', fields: { failed: 'signature' } }])
})

it('a WeChat login that its server refuses is one line a minute with the server’s words (docs/reference/accounts.md#login-providers)', async () => {
  const log = aWarningLog()
  const server = await aProvider({ old: { success: false, message: 'the token is not valid', data: '' } })
  const world = await aWorld({
    log,
    options: { WeChatServerAddress: server.url, WeChatServerToken: 'a-token', WeChatAuthEnabled: true },
  })
  const browser = aBrowser(world.url)
  await browser.get('/api/oauth/state')
  for (let turn = 0; turn < 2; turn += 1) await browser.get('/api/oauth/wechat?code=old')
  expect(log.warnings).toEqual([
    { message: 'the WeChat server refused a code', fields: { status: 200, said: 'the token is not valid' } },
  ])
})
