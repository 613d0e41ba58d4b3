import { describe, expect, it } from 'vitest'
import { isHome, nextPlace, withNext } from '../../../renderer/api/next-place.ts'

const origin = 'http://127.0.0.1:6411'

describe('the page after signing in (docs/reference/screens.md#login)', () => {
  it.each(['/log', '/channel/edit/3', '/log?model=gpt-4o&p=2#row', '/explain-routing?model=%2F%2Fhost'])(
    'a path of the console: %s',
    (next) => expect(nextPlace(next, origin)).toBe(next),
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
  ])('nothing else: %j', (next) => expect(nextPlace(next, origin)).toBe('/token'))

  it('is not passed on for the default page', () => {
    const place = { search: '', hash: '' }
    expect(['/token', '/', '/login', '/setup'].every((pathname) => isHome({ ...place, pathname }))).toBe(true)
    expect(isHome({ ...place, pathname: '/log' })).toBe(false)
    expect(isHome({ pathname: '/token', search: '?p=2', hash: '' })).toBe(false)
  })

  it('is passed along between the pages for visitors', () => {
    const way = withNext('/register', '/log?model=a&p=2')
    expect(nextPlace(new URL(way, origin).searchParams.get('next'), origin)).toBe('/log?model=a&p=2')
    expect(withNext('/register', null)).toBe('/register')
  })
})
