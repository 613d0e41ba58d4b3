import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What an agent really sent, as `npm run agents -- --record` wrote it down. */
export type Fixture = Readonly<{
  agent: string
  version: string
  dialect: 'openai' | 'responses' | 'anthropic' | 'gemini'
  /** Members that requests have unless they have their own. */
  common: Readonly<Record<string, unknown>>
  requests: readonly FixtureRequest[]
}>
export type FixtureRequest = Readonly<{
  /** What the agent was put through, and which of its requests it is. */
  name: string
  path: string
  headers: Readonly<Record<string, string>>
  body: Readonly<Record<string, unknown>>
  /** Common members that this request lacks. */
  without?: readonly string[]
}>

const folder = join(import.meta.dirname, 'fixtures')

/** Every fixture, in the order of its file. */
export function readFixtures(): readonly Fixture[] {
  return readdirSync(folder)
    .toSorted()
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')))
}

/** The body that the agent sent, to another model where one is named. */
export function bodyOf({ common }: Fixture, { body, without = [] }: FixtureRequest, model?: string) {
  const whole = Object.fromEntries(Object.entries({ ...common, ...body }).filter(([key]) => !without.includes(key)))
  return 'model' in whole && model ? { ...whole, model } : whole
}

/** The path that the agent asked at; Gemini's names the model. */
export function pathOf({ path }: FixtureRequest, model: string): string {
  return path.replace(/\/models\/[^:]+:/, `/models/${model}:`)
}
