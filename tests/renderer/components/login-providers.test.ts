import { describe, expect, it } from 'vitest'
import { authorizeUrl } from '../../../renderer/components/providers/authorize-url.ts'
import { offeredBy, type ProviderStatus } from '../../../renderer/components/providers/offered-providers.ts'

const all: ProviderStatus = {
  github_oauth: true,
  github_client_id: 'client-1',
  oidc_enabled: true,
  oidc_client_id: 'client-2',
  oidc_authorization_endpoint: 'https://login.example.com/authorize?tenant=a%20b&state=theirs',
  linuxdo_oauth: true,
  linuxdo_client_id: 'client-3',
  wechat_login: true,
  wechat_qrcode: 'https://example.com/qr.png',
  telegram_oauth: true,
  telegram_bot_name: 'a_bot',
}

describe('logging in by others (docs/reference/screens.md#login-providers)', () => {
  it('is offered by providers that are on and fully configured', () => {
    expect(offeredBy(all)).toEqual(['github', 'oidc', 'linuxdo', 'wechat', 'telegram'])
    expect(offeredBy({ ...all, github_oauth: false, wechat_qrcode: '', telegram_bot_name: '' })).toEqual([
      'oidc',
      'linuxdo',
    ])
    expect(offeredBy({ ...all, github_client_id: '', linuxdo_oauth: false, wechat_login: false })).toEqual([
      'oidc',
      'telegram',
    ])
    for (const endpoint of ['', 'javascript:alert(1)', '/authorize'])
      expect(offeredBy({ ...all, oidc_authorization_endpoint: endpoint })).not.toContain('oidc')
  })

  it('leads to GitHub and LINUX DO with client and state', () => {
    const to = (provider: 'github' | 'linuxdo') => authorizeUrl(provider, all, { state: 's&1' }, 'http://gateway')
    expect(to('github')).toBe(
      'https://github.com/login/oauth/authorize?client_id=client-1&state=s%261&scope=user%3Aemail',
    )
    expect(to('linuxdo')).toBe(
      'https://connect.linux.do/oauth2/authorize?response_type=code&client_id=client-3&state=s%261',
    )
  })

  it('leads to the operator’s endpoint, whose own query stays, with challenge and nonce where there are any', () => {
    const proof = { code_challenge: 'c', nonce: 'n' }
    const url = new URL(authorizeUrl('oidc', all, { state: 's', ...proof }, 'http://gateway:6411'))
    expect(Object.fromEntries(url.searchParams)).toEqual({
      tenant: 'a b',
      client_id: 'client-2',
      redirect_uri: 'http://gateway:6411/oauth/oidc',
      response_type: 'code',
      scope: 'openid profile email',
      state: 's',
      code_challenge: 'c',
      code_challenge_method: 'S256',
      nonce: 'n',
    })
    expect(authorizeUrl('oidc', all, { state: 's' }, 'http://gateway')).not.toMatch(/challenge|nonce/)
  })
})
