import * as z from 'zod/mini'
import { log } from '../../../shared/api/log.ts'
import { logType } from '../../../shared/enums.ts'
import { parsed } from '../../../shared/json.ts'
import { send } from '../../api/client.ts'
import type { Spent } from './conversation.ts'

const TRIES = 5
/** Before the second try; twice as long before each further one. */
const PAUSE_MS = 400

/**
 * What a request used and cost and when its first byte came, from its row in the person's own usage log; undefined where
 * none is kept. A request that was stopped is settled a moment after, once its text is counted.
 */
export async function costOf(requestId: string, signal: AbortSignal, tries = TRIES): Promise<Spent | undefined> {
  for (let turn = 0; turn < tries && !signal.aborted; turn += 1) {
    if (turn > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 2 ** (turn - 1)))
    const query = { type: logType.consume, p: 1, page_size: 1, ...anything, request_id: requestId }
    const [row] = (await send(log.own, { query }, { quiet: true, signal })).items
    if (!row) continue
    const { frt = 0 } = facts.safeParse(parsed(row.other)).data ?? {}
    const firstMs = frt > 0 ? { firstMs: frt } : {}
    return { prompt: row.prompt_tokens, completion: row.completion_tokens, quota: row.quota, ...firstMs }
  }
  return undefined
}

/** No filter but these: a request is known by its id alone. */
const anything = { token_name: '', model_name: '', group: '', start_timestamp: 0, end_timestamp: 0 }

const facts = z.object({ frt: z.number() })
