import { describe, expect, it } from 'vitest'
import { type Access, pageRoutes } from '../../../renderer/page-routes.tsx'
import { elsewhereFor, type Visit } from '../../../renderer/shell/guards.tsx'
import type { SignedIn } from '../../../shared/api/user.ts'
import { role } from '../../../shared/enums.ts'

/** Pages by required access; the last is every unknown address. */
const pages: Readonly<Record<Access, readonly string[]>> = {
  anyone: [
    ...['/', '/user/reset', '/oauth/github', '/oauth/oidc', '/oauth/linuxdo', '/about', '/connect/guest', '/pricing'],
    '*',
  ],
  setup: ['/setup'],
  guest: ['/login', '/register', '/reset'],
  user: [
    ...['/handover', '/playground', '/chat', '/chat2link', '/connect/client', '/detail', '/token', '/log'],
    ...['/midjourney', '/task', '/topup', '/personal', '/user/edit'],
  ],
  admin: [
    ...['/channel', '/explain-routing', '/connect/provider', '/ledger', '/jobs', '/redemption', '/user', '/setting'],
  ],
  root: ['/channel/local', '/share', '/import'],
}

/** Without the page that exists only in development. */
const built = pageRoutes.filter(({ path }) => path !== '/components')

describe('permission to open a page (docs/reference/screens.md#routes)', () => {
  it.each(Object.entries(pages))('%s: each page of theirs, and no other', (access, paths) => {
    expect(built.filter((page) => page.access === access).map(({ path }) => path)).toEqual(paths)
  })

  it('the addresses below a page belong to the page, for every user', () => {
    const within = Object.fromEntries(
      built.flatMap(({ path, within: children }) => (children ? [[path, children]] : [])),
    )
    expect(within).toEqual({
      '/chat': [':id'],
      '/channel': ['new', 'add', 'edit/:id'],
      '/user': ['new', 'invite', 'edit/:id', 'quota/:id'],
    })
  })
})

const somebody = (its: number): SignedIn => ({
  id: 7,
  username: 'somebody',
  display_name: '',
  role: its,
  status: 1,
  group: 'default',
})
const visit = (change: Partial<Visit> = {}): Visit => ({
  isSetUp: true,
  user: undefined,
  lacksFactors: false,
  current: { pathname: '/page', search: '', hash: '' },
  origin: 'http://127.0.0.1:6411',
  ...change,
})
const at = (search: string) => ({ pathname: '/page', search, hash: '' })

describe('the guard of a page (docs/reference/screens.md#routes)', () => {
  it.each<[Access, number | undefined, string | undefined]>([
    ['anyone', undefined, undefined],
    ['anyone', role.user, undefined],
    ['setup', undefined, '/'],
    ['guest', undefined, undefined],
    ['guest', role.user, '/detail'],
    ['user', undefined, '/login?next=%2Fpage'],
    ['user', role.user, undefined],
    ['admin', undefined, '/login?next=%2Fpage'],
    ['admin', role.user, '/detail'],
    ['admin', role.admin, undefined],
    ['admin', role.root, undefined],
    ['root', role.admin, '/detail'],
    ['root', role.root, undefined],
  ])('for %s leads the role %s to %s', (access, its, elsewhere) => {
    const user = its === undefined ? undefined : somebody(its)
    expect(elsewhereFor(access, visit({ user }))).toBe(elsewhere)
  })

  it('leads a user who comes back from binding an account to the bindings', () => {
    const current = { pathname: '/setting', search: '', hash: '' }
    expect(elsewhereFor('admin', visit({ current, user: somebody(role.user) }))).toBe('/personal')
    expect(elsewhereFor('admin', visit({ current, user: somebody(role.admin) }))).toBeUndefined()
  })

  it('leads all visitors to the setup until it is done, with its code, and stays there then', () => {
    for (const access of ['anyone', 'guest', 'user', 'admin', 'root'] as const)
      expect(elsewhereFor(access, visit({ isSetUp: false, user: somebody(role.root) }))).toBe('/setup')
    expect(elsewhereFor('anyone', visit({ isSetUp: false, current: at('?code=abc') }))).toBe('/setup?code=abc')
    expect(elsewhereFor('setup', visit({ isSetUp: false }))).toBeUndefined()
  })

  it('leads past the login to the requested page, except after the session has ended', () => {
    const user = somebody(role.user)
    expect(elsewhereFor('guest', visit({ user, current: at('?next=%2Flog') }))).toBe('/log')
    expect(elsewhereFor('guest', visit({ user, current: at('?expired=true') }))).toBeUndefined()
  })

  it('restricts a user without the required second factor to their personal settings', () => {
    const lacking = visit({ user: somebody(role.root), lacksFactors: true })
    expect(elsewhereFor('user', lacking)).toBe('/personal')
    expect(elsewhereFor('user', { ...lacking, current: { ...lacking.current, pathname: '/personal' } })).toBeUndefined()
  })
})
