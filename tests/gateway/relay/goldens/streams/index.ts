import type { StreamGolden } from '../golden.ts'
import { calls } from './calls.ts'
import { clientCalls } from './client-calls.ts'
import { searches } from './searches.ts'
import { structured } from './structured.ts'
import { texts } from './texts.ts'
import { thoughts } from './thoughts.ts'

export const streamGoldens: Readonly<Record<string, readonly StreamGolden[]>> = {
  Content: [...texts, ...searches],
  'Tool calls': calls,
  'Calls of client-run tools': clientCalls,
  Reasoning: thoughts,
  'JSON through an answer tool or a prompt': structured,
}
