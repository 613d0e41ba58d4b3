import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An agent's real requests, as recorded by `npm run agents -- --record`. */
export type Fixture = Readonly<{
  agent: string
  version: string
  dialect: 'openai' | 'responses' | 'anthropic' | 'gemini'
  /** Members of every request that has no own value for them. */
  common: Readonly<Record<string, unknown>>
  requests: readonly FixtureRequest[]
}>
export type FixtureRequest = Readonly<{
  /** The agent's scenario, and the number of the request within it. */
  name: string
  path: string
  headers: Readonly<Record<string, string>>
  body: Readonly<Record<string, unknown>>
  /** Common members that this request does not have. */
  without?: readonly string[]
}>

const folder = join(import.meta.dirname, 'fixtures')

/** Every fixture, in the order of the files. */
export function readFixtures(): readonly Fixture[] {
  return readdirSync(folder)
    .toSorted()
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')))
}

/** The body that the agent sent, optionally for another model. */
export function bodyOf({ common }: Fixture, { body, without = [] }: FixtureRequest, model?: string) {
  const whole = Object.fromEntries(Object.entries({ ...common, ...body }).filter(([key]) => !without.includes(key)))
  return 'model' in whole && model ? { ...whole, model } : whole
}

/** The path that the agent requested; Gemini's contains the model. */
export function pathOf({ path }: FixtureRequest, model: string): string {
  return path.replace(/\/models\/[^:]+:/, `/models/${model}:`)
}
