import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withoutChanges, withSettings } from '../../../gateway/connect/edit.ts'
import type { ConnectFile } from '../../../shared/connect/client.ts'
import { connectClients } from '../../../shared/connect/clients.ts'
import { aHome, target } from './a-home.ts'
import { aJsonFile, anEnvFile, aTomlFile, aYamlFile, drawing, seeds } from './user-files.ts'

const writers = { json: aJsonFile, toml: aTomlFile, yaml: aYamlFile, env: anEnvFile } as const
const formats = ['json', 'toml', 'yaml', 'env'] as const
const clientsIn = (format: ConnectFile['format']) =>
  connectClients.flatMap((client) =>
    (client.files ?? []).filter((file) => file.format === format).map((file) => ({ client, file })),
  )
const runs = { numRuns: 120 }
/**
 * Whether `after` is `before` with insertions only: none of these files has our settings, so changes only add to them.
 */
const isWithin = (before: string, after: string) => {
  let at = 0
  for (const letter of after) if (letter === before[at]) at += 1
  return at === before.length
}
/**
 * Whether every line is still there in order; the line before ours may have gained a comma. In JSON, which may be a
 * single line, only lines that end in a comment are checked.
 */
const keepsLines = (format: string, before: string, after: string) => {
  const rest = after.split(/\r?\n/)
  return before
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && (format !== 'json' || /\/\/ note \d+$/.test(line)))
    .every((line) => {
      const bare = (text: string) => text.replace(/,/g, '').trimEnd()
      const at = rest.findIndex((other) => bare(other) === bare(line))
      if (at >= 0) rest.splice(0, at + 1)
      return at >= 0
    })
}
const plain = (text: string) => text.replace(/^\uFEFF/, '')

describe.each(formats)('a file of a person in %s (docs/reference/connect.md#bytes)', (format) => {
  const drawn = fc.tuple(seeds, fc.constantFrom(...clientsIn(format))).map(([seed, { client, file }]) => ({
    text: writers[format](drawing(seed)),
    client,
    file,
  }))

  it('preserves everything else byte for byte, and setting it twice equals setting it once', () => {
    fc.assert(
      fc.property(drawn, ({ text, file }) => {
        const before = plain(text)
        const settings = file.settings(target)
        const { text: after, changes } = withSettings(format, before, settings)
        expect(changes.length).toBeGreaterThan(0)
        expect(isWithin(before, after)).toBe(true)
        expect(keepsLines(format, before, after)).toBe(true)
        expect(withSettings(format, after, settings)).toEqual({ text: after, changes: [] })
        if (before.includes('\r\n') && !/[^\r]\n/.test(before)) expect(after).not.toMatch(/[^\r]\n/)
      }),
      runs,
    )
  })

  it('is as before when only ours is taken out, but for a last line end and an empty object', () => {
    fc.assert(
      fc.property(drawn, ({ text, file }) => {
        const before = plain(text)
        const { text: after, changes } = withSettings(format, before, file.settings(target))
        const back = withoutChanges(format, after, changes)
        const tight = (one: string) => one.replace(/\s+/g, '')
        expect(back.kept).toBe(0)
        expect(tight(back.text)).toBe(tight(before))
      }),
      runs,
    )
  })

  it('gets back the values that ours replaced, as they were written', () => {
    const others = { address: 'https://elsewhere.example', key: 'sk-of-another-gateway-1', model: 'their-model' }
    fc.assert(
      fc.property(drawn, ({ text, file }) => {
        const before = withSettings(format, plain(text), file.settings(others)).text
        const { text: after, changes } = withSettings(format, before, file.settings(target))
        expect(after).not.toContain(others.key)
        expect(withoutChanges(format, after, changes)).toEqual({ text: before, kept: 0 })
      }),
      runs,
    )
  })

  it('is undone byte for byte on the disk, its mark and its last line end, too', () => {
    fc.assert(
      fc.property(drawn, ({ text, client, file }) => {
        const home = aHome()
        const [location] = file.locations.linux.filter(({ variable }) => variable === undefined)
        const path = `${location?.below}/${file.names.at(-1)}`
        const other = aHome({ [path]: text })
        expect(home).toBeDefined()
        const plan = other.connector.plan(client, target)
        expect(other.connector.apply(client, target, plan.seal)).toBeNull()
        expect(readFileSync(other.at(path), 'utf8').startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'))
        expect(other.connector.plan(client, target).files).toEqual([])
        const left = file.settings(target).filter(({ isNamedBySessions }) => isNamedBySessions)
        const leaves = left.length > 0 ? { leavesProvider: true } : {}
        expect(other.connector.undo(client)).toEqual({ exact: true, kept: 0, ...leaves })
        const mark = text.startsWith('\uFEFF') ? '\uFEFF' : ''
        const back = readFileSync(other.at(path), 'utf8')
        expect(back).toBe(mark + withSettings(format, plain(text), left).text)
        expect(back).not.toContain(target.key)
        if (left.length === 0) expect(back).toBe(text)
      }),
      { numRuns: 40 },
    )
  })
})
