import * as z from 'zod/mini'
import { log } from '../../../shared/api/log.ts'
import { logType } from '../../../shared/enums.ts'
import { parsed } from '../../../shared/json.ts'
import { send } from '../../api/client.ts'
import type { Spent } from './conversation.ts'

const TRIES = 5
/** Milliseconds before the second attempt; doubled for each further one. */
const PAUSE_MS = 400

/**
 * A request's tokens, cost and time to the first byte, from the user's own usage log; undefined if it is not logged.
 * A stopped request is settled a moment later, once its text is counted.
 */
export async function costOf(requestId: string, signal: AbortSignal, tries = TRIES): Promise<Spent | undefined> {
  for (let attempt = 0; attempt < tries && !signal.aborted; attempt += 1) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 2 ** (attempt - 1)))
    const query = { type: logType.consume, p: 1, page_size: 1, ...anything, request_id: requestId }
    const [row] = (await send(log.own, { query }, { quiet: true, signal })).items
    if (!row) continue
    const { frt = 0 } = facts.safeParse(parsed(row.other)).data ?? {}
    const firstMs = frt > 0 ? { firstMs: frt } : {}
    return { prompt: row.prompt_tokens, completion: row.completion_tokens, quota: row.quota, ...firstMs }
  }
  return undefined
}

/** No other filters: the request id is sufficient. */
const anything = { token_name: '', model_name: '', group: '', start_timestamp: 0, end_timestamp: 0 }

const facts = z.object({ frt: z.number() })
