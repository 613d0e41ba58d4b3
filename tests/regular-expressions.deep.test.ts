import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RegExpParser } from '@eslint-community/regexpp'
import { analyse } from 'scslre'
import { parseAst } from 'vite'
import { describe, expect, it } from 'vitest'
import { workOf } from './support/work-of.ts'

const root = join(import.meta.dirname, '..')
const parser = new RegExpParser()

/** Long enough that quadratic expressions take 100 ms where others take one or two. */
const LENGTH = 40_000
const MAX_MS = 25

describe('regular expressions of the product', () => {
  // Over two seconds: some four hundred expressions, each on a dozen texts.
  it('take a time proportional to the length of a text, for any content', async () => {
    const literals = ['gateway', 'shared', 'main', 'renderer'].flatMap(literalsOf)
    expect(literals.length).toBeGreaterThan(500)
    const faults: string[] = []
    // An expression without repetition passes a text once.
    for (const { place, expression } of literals.filter((one) => /[*+]|\{\d+,/.test(one.expression.source)))
      if (isSuperlinear(expression) || (await isSlow(expression))) faults.push(`${place} ${expression}`)
    expect(faults).toEqual([])
  })

  it.each([
    /\\+u([0-9a-f]{4})/gi,
    /(?:^|\s+)--(?:fast|relax|turbo)(?=\s|$)/g,
    /\s*,\s*/,
    /\/+$/,
    /\B(?=(\d{3})+$)/g,
    /gemini.*image/,
    /<details[^>]*>\s*<summary>/,
    /:\/\/(.*)@/,
    /(["']?)([\w.-]+)\1[ \t]*[:=]/g,
    /(a+)+b/,
  ])('are found where they take longer: %s', async (expression) => {
    expect(isSuperlinear(expression) || (await isSlow(expression))).toBe(true)
  })
})

function literalsOf(folder: string) {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return files
    .filter((name) => /(?<!\.d)\.tsx?$/.test(name))
    .flatMap((name) => {
      const code = readFileSync(join(root, folder, name), 'utf8')
      return [...literalsIn(parseAst(code, { lang: name.endsWith('x') ? 'tsx' : 'ts' }))].map(({ start, regex }) => ({
        place: `${folder}/${name}:${code.slice(0, start).split('\n').length}`,
        expression: new RegExp(regex.pattern, regex.flags),
      }))
    })
}

type Literal = { start: number; regex: { pattern: string; flags: string } }

function* literalsIn(node: unknown): Generator<Literal> {
  if (Array.isArray(node)) for (const inner of node) yield* literalsIn(inner)
  else if (node instanceof RegExp) return
  else if (typeof node === 'object' && node !== null) {
    if ('regex' in node) yield node as Literal // a node of the syntax tree has `regex` only if it is such a literal
    for (const inner of Object.values(node)) yield* literalsIn(inner)
  }
}

/** By analysis: whether two parts match the same text, or one is tried at each character of a text. */
function isSuperlinear({ source, flags }: RegExp): boolean {
  const reportTypes = { Move: true, Self: true, Trade: true } as const
  return analyse(parser.parseLiteral(`/${source}/${flags}`), { reportTypes }).reports.length > 0
}

/** The fixed texts in an expression, and some that its classes match. */
function fragmentsOf({ source }: RegExp): Set<string> {
  const texts = source.replace(/\\([^\w.])/g, '$1').split(/[^\w:/<>"'@=#% -]+/)
  return new Set([...texts.filter((text) => text !== ''), ' ', '\n', 'a', '0'])
}

/** By trial on repetitions of the expression's own fixed texts, which make it start often and match far each time. */
async function isSlow(expression: RegExp): Promise<boolean> {
  for (const fragment of fragmentsOf(expression)) {
    const text = `${fragment.repeat(Math.ceil(LENGTH / fragment.length))}\0`
    const work = () => workOf(() => text.replace(expression, ''))
    if ((await work()) > MAX_MS && (await work()) > MAX_MS && (await work()) > MAX_MS) return true
  }
  return false
}
