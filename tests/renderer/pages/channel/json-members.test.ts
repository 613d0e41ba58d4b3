import { describe, expect, it } from 'vitest'
import {
  editableObject,
  membersIn,
  textFor,
  withMember,
} from '../../../../renderer/pages/channel/editor/json-members.ts'

describe('JSON as members', () => {
  it('comes back unchanged, for any values', () => {
    const text = '{"a":"b","n":1,"t":"true","o":{"x":[1]},"z":null,"e":""}'
    const members = membersIn(text, 'json') ?? []
    expect(members.map((member) => member.text)).toEqual(['b', '1', '"true"', '{"x":[1]}', 'null', ''])
    expect(JSON.parse(textFor(members, 'json'))).toEqual(JSON.parse(text))
  })

  it('reads input as JSON where it is JSON, and as a text elsewhere', () => {
    const typed = ['0.5', 'true', 'hello', '"7"', '[1'].map((text, index) => ({ name: `m${index}`, text }))
    expect(JSON.parse(textFor(typed, 'json'))).toEqual({ m0: 0.5, m1: true, m2: 'hello', m3: '7', m4: '[1' })
  })

  it('preserves an unchanged value of a mapping, and writes texts', () => {
    const [first, second] = membersIn('{"429":500,"500":"503"}', 'text') ?? []
    expect([first?.text, second?.text]).toEqual(['500', '503'])
    const changed = [first, second && { ...second, text: '502' }].filter((one) => one !== undefined)
    expect(JSON.parse(textFor(changed, 'text'))).toEqual({ 429: 500, 500: '502' })
  })

  it('leaves unfinished members out, and is empty without any', () => {
    expect(textFor([{ name: ' ', text: 'x' }], 'text')).toBe('')
    expect(membersIn('', 'text')).toEqual([])
  })

  it('sets and removes one member and loses no other', () => {
    const text = '{"unknown":{"deep":1},"force_format":true}'
    expect(JSON.parse(withMember(text, 'force_format', undefined))).toEqual({ unknown: { deep: 1 } })
    expect(JSON.parse(withMember(text, 'max_concurrency', 3))).toEqual({
      unknown: { deep: 1 },
      force_format: true,
      max_concurrency: 3,
    })
    expect(withMember('{"force_format":true}', 'force_format', undefined)).toBe('')
  })

  it.each(['[1]', '{"a":', '{"seed":12345678901234567890}'])('is edited as a text where it is %s', (text) => {
    expect(editableObject(text)).toBeUndefined()
    expect(membersIn(text, 'json')).toBeUndefined()
  })
})
