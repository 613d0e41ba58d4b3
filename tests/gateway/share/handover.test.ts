import { expect, it } from 'vitest'
import { dataOf } from '../../support/client.ts'
import { aBrowser } from '../accounts/providers/browser.ts'
import { aProvider } from '../accounts/providers/fake-provider.ts'
import { aSharedWorld, change, HERE } from './shared-world.ts'

it('the desktop’s window is signed in by a login with a provider at the server address, where that is a shared one (docs/reference/accounts.md#hand-over-to-the-desktop)', async () => {
  const provider = await aProvider({ ann: { id: 1234, login: 'ann', name: 'Ann', email: null } })
  const providers = { github: provider.url, githubApi: provider.url, linuxdo: provider.url }
  const options = { GitHubClientId: 'client-1', GitHubClientSecret: 'secret-1', GitHubOAuthEnabled: true }
  const world = await aSharedWorld({ options, providers })
  await change(world, { on: true, is_encrypted: false, registration: true })
  const shared = `http://${HERE}:${world.port}`
  await world.option('ServerAddress', shared)
  const begun = world.gateway.handover()

  const browser = aBrowser(shared)
  const asked = new URLSearchParams({ redirect_uri: `${shared}/oauth/github` })
  const state = dataOf(await browser.get(`/api/oauth/state?${asked}`))
  const ann = dataOf(await browser.get(`/api/oauth/github?code=ann&state=${state}`))
  expect(provider.asked[0]?.form.get('redirect_uri')).toBe(`${shared}/oauth/github`)
  browser.is(ann.id)
  dataOf(await browser.post('/api/user/handover/grant', { id: begun.id }))
  expect(await browser.post('/api/user/handover', begun)).toMatchObject({ success: false })
  expect(await browser.post('/api/user/handover/cancel', begun)).toMatchObject({ success: false })
  expect(dataOf(await world.visitor.post('/api/user/handover', begun))).toMatchObject({ id: ann.id })
})
