import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

/**
 * Words and phrases that read as a translation (docs/glossary.md#words-in-the-code), and how many are left. A budget
 * only falls: rewriting lowers it, and nothing raises it.
 */
const phrases: Readonly<Record<string, RegExp>> = {
  'told, tell, tells': /\b(told|tells?|telling)\b/gi,
  'whoever, whatever, wherever': /\bw(ho|hat|here)ever\b/gi,
  'anew, alike': /\b(anew|alike)\b/gi,
  'alone for only': /\balone\b/gi,
  'beside, besides': /\bbesides?\b/gi,
  'nobody, somebody, anybody': /\b(no|some|any)body\b/gi,
  'is none, is no': /\b(is|are|was|were) no(ne)?\b/gi,
  'what is, what has': /\bwhat (is|has|was|are|stands|comes|goes)\b/gi,
  'of its own, by itself': /\b(of (its|their) own|by (it|them)sel(f|ves))\b/gi,
  'stands, lies for is': /\b(stands?|lies)\b/gi,
  'kept of, kept by': /\bkept\b/gi,
  'said, says': /\b(said|says?|saying)\b/gi,
  'asked, asks': /\bask(s|ed|ing)?\b/gi,
}

/** For each phrase, in comments of the code, in documents, and in titles of tests. */
const budgets: Readonly<Record<string, readonly [comments: number, documents: number, titles: number]>> = {
  'told, tell, tells': [7, 3, 0],
  'whoever, whatever, wherever': [18, 1, 1],
  'anew, alike': [1, 0, 0],
  'alone for only': [4, 1, 0],
  'beside, besides': [0, 2, 0],
  'nobody, somebody, anybody': [1, 2, 1],
  'is none, is no': [133, 12, 16],
  'what is, what has': [66, 5, 8],
  'of its own, by itself': [12, 0, 5],
  'stands, lies for is': [4, 1, 6],
  'kept of, kept by': [14, 5, 0],
  'said, says': [7, 4, 1],
  'asked, asks': [36, 7, 0],
}

const root = join(import.meta.dirname, '..')
const code = ['gateway', 'shared', 'main', 'renderer'].flatMap((folder) => filesIn(folder, /\.(tsx?|mjs)$/))
const surfaces = {
  comments: code.flatMap(commentsIn),
  documents: [
    // Documents that quote titles of tests are left out.
    ...filesIn('docs', /\.md$/).filter((path) => !path.includes('-tests')),
    'README.md',
    'SECURITY.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
  ].map(textOf),
  titles: filesIn('tests', /\.(test|spec)\.tsx?$/).flatMap(titlesIn),
}

describe('plain English', () => {
  it.each(Object.entries(phrases))('%s', (name, phrase) => {
    const counts = Object.values(surfaces).map((texts) => texts.join('\n').match(phrase)?.length ?? 0)
    const budget = budgets[name] ?? [0, 0, 0]
    const isOver = counts.some((count, index) => count > (budget[index] ?? 0))
    expect(isOver, `${counts} in comments, documents and titles; at most ${budget}`).toBe(false)
    const slack = Math.max(...counts.map((count, index) => (budget[index] ?? 0) - count))
    expect(slack, `lower the budget to ${counts}`).toBeLessThan(MAX_SLACK)
  })
})

/**
 * Words of older code in names (docs/glossary.md#words-that-are-being-replaced), and how often they are still used in
 * identifiers. These budgets only fall too.
 */
const wordsOfNames: Readonly<Record<string, number>> = {
  told: 19,
  said: 40,
  ask: 13,
  asked: 20,
  kept: 214,
  place: 23,
  places: 2,
  room: 3,
  way: 60,
  fixture: 0,
  held: 32,
  beside: 10,
  words: 142,
}

describe('names', () => {
  const counts = new Map<string, number>()
  for (const path of code) for (const word of wordsIn(textOf(path))) counts.set(word, (counts.get(word) ?? 0) + 1)

  it.each(Object.entries(wordsOfNames))('with the word %s', (word, budget) => {
    const count = counts.get(word) ?? 0
    expect(count, `at most ${budget}`).toBeLessThanOrEqual(budget)
    expect(budget - count, `lower the budget to ${count}`).toBeLessThan(MAX_SLACK)
  })
})

/** How far a budget may exceed the count. */
const MAX_SLACK = 5

function commentsIn(path: string): string[] {
  return textOf(path).match(/\/\*\*?[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm) ?? []
}

/** The words of all identifiers of a text, in lower case. */
function wordsIn(text: string): string[] {
  const bare = text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(?<=^|\s)\/\/.*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, '')
  return (bare.match(/[A-Za-z_$][\w$]*/g) ?? []).flatMap((name) =>
    name
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[ _$]+/),
  )
}

function titlesIn(path: string): string[] {
  return [...textOf(path).matchAll(/\b(?:it|test|describe)(?:\.each\([\s\S]*?\))?\(\s*(['"`])(.*?)\1/g)].map(
    ([, , title = '']) => title,
  )
}

function filesIn(folder: string, kind: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && kind.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
}

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
