import { describe, expect, it } from 'vitest'
import { hasUnknownMembers, switchedSearches } from '../../../../gateway/relay/admission/plain-members.ts'
import { bodyOf, readFixtures } from '../agents/fixture.ts'

describe('options that may make a prompt longer than it looks (docs/reference/billing.md#prompts-of-unknown-size)', () => {
  it.each(readFixtures().map((fixture) => [fixture.agent, fixture] as const))(
    'are in no request of %s, whose streams end when its user stops them',
    (_, fixture) => {
      for (const request of fixture.requests) {
        const body = bodyOf(fixture, request)
        const unknown = Object.keys(body).filter((name) => hasUnknownMembers({ [name]: body[name] }))
        expect(unknown, request.name).toEqual([])
      }
    },
  )

  it('are all others, unless they are off or numbers', () => {
    for (const value of [false, null, undefined, 0, 7, ''])
      expect(hasUnknownMembers({ model: 'm', x: value })).toBe(false)
    for (const value of [true, 'on', {}, []]) expect(hasUnknownMembers({ model: 'm', x: value })).toBe(true)
  })

  it('are reserved as searches by their names: one, or as many as a model decides', () => {
    expect(switchedSearches({ enable_search: true }, 5)).toBe(1)
    expect(switchedSearches({ enable_search: true, search_options: { search_strategy: 'agent' } }, 5)).toBe(5)
    expect(switchedSearches({ enable_search: false, messages: [] }, 5)).toBe(0)
    expect(switchedSearches({ plugins: [{ id: 'web' }] }, 5)).toBe(5)
  })
})
