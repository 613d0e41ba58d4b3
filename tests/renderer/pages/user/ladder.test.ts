import { describe, expect, it } from 'vitest'
import { actionsFor, canEnable, mayChange } from '../../../../renderer/pages/user/ladder.ts'

const root = { role: 100 }
const clerk = { role: 10 }
const account = (fields: object = {}) => ({ role: 1, status: 1, DeletedAt: null, ...fields })

describe('actions are offered (docs/reference/accounts.md#managing-accounts)', () => {
  it.each([
    ['a user', account(), ['promote', 'disable', 'reset', 'delete']],
    ['an administrator', account({ role: 10 }), ['demote', 'disable', 'reset', 'delete']],
    ['a role in between', account({ role: 5 }), ['promote', 'demote', 'disable', 'reset', 'delete']],
    ['who is banned', account({ status: 2 }), ['promote', 'enable', 'reset', 'delete']],
    ['a status nobody knows', account({ status: 3 }), ['promote', 'enable', 'reset', 'delete']],
    ['the super administrator', account({ role: 100 }), []],
    ['who is deactivated', account({ DeletedAt: '2026-11-20T08:00:00.000Z' }), []],
  ])('to the super administrator of %s', (_, of, actions) => {
    expect(actionsFor(root, of)).toEqual(actions)
  })

  it.each([
    ['a user', account(), ['disable', 'reset', 'delete']],
    ['who is banned', account({ status: 2 }), ['enable', 'reset', 'delete']],
    ['an administrator', account({ role: 10 }), []],
    ['the super administrator', account({ role: 100 }), []],
  ])('to an administrator of %s', (_, of, actions) => {
    expect(actionsFor(clerk, of)).toEqual(actions)
  })
})

it('only users of a lower role can be changed, and by the super administrator everyone who is not deactivated', () => {
  expect([account(), account({ role: 10 })].map((of) => mayChange(clerk, of))).toEqual([true, false])
  expect(mayChange(root, account({ role: 100 }))).toBe(true)
  expect(mayChange(root, account({ DeletedAt: '2026-11-20T08:00:00.000Z' }))).toBe(false)
})

it('lifts nothing but a ban', () => {
  expect([1, 2, 3, 0].filter((status) => canEnable({ status }))).toEqual([2])
})
