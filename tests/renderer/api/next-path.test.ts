import { describe, expect, it } from 'vitest'
import { isHome, nextPath, withNext } from '../../../renderer/api/next-path.ts'

const origin = 'http://127.0.0.1:6411'

describe('the page after signing in (docs/reference/screens.md#login)', () => {
  it.each(['/log', '/channel/edit/3', '/log?model=gpt-4o&p=2#row', '/explain-routing?model=%2F%2Fhost'])(
    'a path of the console: %s',
    (next) => expect(nextPath(next, origin)).toBe(next),
  )

  it.each([
    null,
    '',
    'log',
    '//host',
    '///host',
    '/\\host',
    '\\\\host',
    '/\t/host',
    '/\n/host',
    ' //host',
    '/.//host',
    '/./\\host',
    '/..//host',
    '/%2e//host',
    '/a/..//host',
    'http://127.0.0.1:6411/log',
    'https://host/log',
    'javascript:alert(1)',
    'data:text/html,x',
    '/@host/../..//host',
    '/login',
    '/login?next=/log',
    '/login/',
    '/register',
    '/reset?x=1',
    '/user/reset?email=a&token=b',
    '/setup?code=1',
  ])('nothing else: %j', (next) => {
    expect(nextPath(next, origin)).toBe('/detail')
    expect(nextPath(next, origin, '/token')).toBe('/token')
  })

  it('is not passed on for the default page', () => {
    const page = { search: '', hash: '' }
    expect(['/detail', '/', '/login', '/setup'].every((pathname) => isHome({ ...page, pathname }))).toBe(true)
    expect(isHome({ ...page, pathname: '/log' })).toBe(false)
    expect(isHome({ pathname: '/detail', search: '?by=day', hash: '' })).toBe(false)
  })

  it('is passed along between the pages for visitors', () => {
    const path = withNext('/register', '/log?model=a&p=2')
    expect(nextPath(new URL(path, origin).searchParams.get('next'), origin)).toBe('/log?model=a&p=2')
    expect(withNext('/register', null)).toBe('/register')
  })
})
