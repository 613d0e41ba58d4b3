import type { StreamGolden } from '../golden.ts'
import { calls } from './calls.ts'
import { clientCalls } from './client-calls.ts'
import { searches } from './searches.ts'
import { structured } from './structured.ts'
import { texts } from './texts.ts'
import { thoughts } from './thoughts.ts'

export const streamGoldens: Readonly<Record<string, readonly StreamGolden[]>> = {
  Text: [...texts, ...searches],
  Calls: calls,
  'Calls of tools that clients run': clientCalls,
  Thoughts: thoughts,
  'JSON by other ways': structured,
}
