import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { en as ofDesktop } from '../main/messages/en.ts'
import { en as ofConsole } from '../renderer/messages/en.ts'
import { en as shared } from '../shared/messages/en.ts'

const root = join(import.meta.dirname, '..')
/**
 * Texts of the specification that are never used here, because the event cannot happen or has a more detailed message.
 */
const unsaid = ['auth.session_save', 'pay.no_link', 'pay.start', 'redeem.ok', 'setup.form', 'token.gen_fail']

it('each text of the console, the gateway and the desktop program is named by code', () => {
  const code = ['gateway', 'shared', 'main', 'renderer'].flatMap(sourcesIn).join('\n')
  const named = new Set(Array.from(code.matchAll(/'([\w.-]+)'/g), ([, text = '']) => text))
  // A computed key, such as `role.${name}`, uses all keys that match.
  const composed = new Set(Array.from(code.matchAll(/`([\w.-]*\$\{[^`]*)`/g), ([, template = '']) => template))
  const fitting = Array.from(composed, (template) =>
    template.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[\\w./-]+'),
  )
    .filter((source) => /^[\w\\./[\]+-]+$/.test(source) && /\w{3}\\\./.test(source))
    .map((source) => new RegExp(`^${source}$`))
  const keys = Object.keys({ ...ofDesktop, ...ofConsole, ...shared })
  expect(keys.length).toBeGreaterThan(3000)
  const unused = keys.filter((key) => !named.has(key) && !fitting.some((pattern) => pattern.test(key)))
  expect(unused.sort()).toEqual(unsaid)
})

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('messages'))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'))
}
