import type { AnswerGolden } from '../golden.ts'
import { calls } from './calls.ts'
import { clientCalls } from './client-calls.ts'
import { contents } from './contents.ts'
import { endings } from './endings.ts'
import { searches } from './searches.ts'
import { structured } from './structured.ts'
import { thoughts } from './thoughts.ts'

/** The complete responses, by topic. */
export const answerGoldens: Readonly<Record<string, readonly AnswerGolden[]>> = {
  Content: [...contents, ...searches],
  'Tool calls': calls,
  'Calls of client-run tools': clientCalls,
  Reasoning: thoughts,
  'JSON through an answer tool or a prompt': structured,
  'Finish reasons and usage': endings,
}
