import { describe, expect, it } from 'vitest'
import { changeOf, type Draft, newProblemsOf, problemsOf } from '../../../../renderer/pages/user/draft.ts'

const first: Draft = { username: 'ann', displayName: 'Ann', password: '', group: '', remark: '', quota: 500 }
const nobody = { username: '', displayName: '', password: '', role: 1 }
const keysOf = (problems: object) =>
  Object.fromEntries(Object.entries(problems).map(([field, { key }]) => [field, key]))

describe('a new account', () => {
  it('has a name and a password', () => {
    expect(keysOf(newProblemsOf(nobody))).toEqual({ username: 'user.empty_add', password: undefined })
    expect(keysOf(newProblemsOf({ ...nobody, username: ' ', password: 'x' }))).toEqual({ username: 'user.empty_add' })
    expect(keysOf(newProblemsOf({ ...nobody, username: 'ann' }))).toEqual({ password: 'user.empty_add' })
  })

  it.each([
    ['a-name-of-13-', 'setup.user_len'],
    ['ann@x', 'setup.user_chars'],
    ['ann\u202e', 'setup.user_chars'],
    ['ann\u200b', 'setup.user_chars'],
    ['ann\u00a0lee', 'setup.user_chars'],
    ['❤️', 'setup.user_chars'],
  ])('is not called %j', (username, key) => {
    expect(keysOf(newProblemsOf({ ...nobody, username, password: 'a-long-password' }))).toEqual({ username: key })
  })

  it('counts characters as people do', () => {
    const draft = { ...nobody, username: '😀'.repeat(12), displayName: '😀'.repeat(20), password: '😀'.repeat(8) }
    expect(newProblemsOf(draft)).toEqual({})
    expect(keysOf(newProblemsOf({ ...draft, password: '1234567' }))).toEqual({ password: 'setup.pw_len' })
    expect(keysOf(newProblemsOf({ ...draft, password: 'x'.repeat(129) }))).toEqual({ password: 'setup.pw_long' })
  })
})

describe('a changed account', () => {
  it('is validated only in changed fields: an import may have brought longer names', () => {
    const imported = { ...first, username: 'somebody-from-elsewhere' }
    expect(problemsOf({ ...imported, remark: 'new' }, imported)).toEqual({})
    expect(keysOf(problemsOf({ ...imported, username: '' }, imported))).toEqual({ username: 'user.nameNeeded' })
    expect(keysOf(problemsOf({ ...first, quota: undefined }, first))).toEqual({ quota: 'option.bad_number' })
  })

  it('sends only changes, and a balance with the one it was loaded with', () => {
    expect(changeOf(2, first, first)).toEqual({ id: 2 })
    expect(changeOf(2, { ...first, username: ' ann ', quota: -20 }, first)).toEqual({
      id: 2,
      quota: -20,
      quota_base: 500,
    })
    const draft = { ...first, displayName: '', password: 'a-long-password', group: 'vip', remark: ' owes ' }
    expect(changeOf(2, draft, first)).toEqual({
      id: 2,
      display_name: '',
      password: 'a-long-password',
      group: 'vip',
      remark: 'owes',
    })
  })
})
