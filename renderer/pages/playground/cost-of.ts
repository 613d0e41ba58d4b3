import { z } from 'zod'
import { log } from '../../../shared/api/log.ts'
import { logType } from '../../../shared/enums.ts'
import { parsed } from '../../../shared/json.ts'
import { send } from '../../api/client.ts'
import type { Spent } from './conversation.ts'

const RECENT = 20
const TRIES = 5
/** Before the second try; twice as long before each further one. */
const PAUSE_MS = 400

/**
 * What a request used and cost, from its row in the person's own usage log; undefined where none is kept. A request that
 * was stopped is settled a moment after, once its text is counted.
 */
export async function costOf(requestId: string, signal: AbortSignal): Promise<Spent | undefined> {
  for (let turn = 0; turn < TRIES && !signal.aborted; turn += 1) {
    if (turn > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 2 ** (turn - 1)))
    const { items } = await send(
      log.own,
      { query: { type: logType.consume, p: 1, page_size: RECENT, ...anything } },
      manner(signal),
    )
    const row = items.find(({ other }) => requestIn(other) === requestId)
    if (row) return { prompt: row.prompt_tokens, completion: row.completion_tokens, quota: row.quota }
  }
  return undefined
}

const manner = (signal: AbortSignal) => ({ quiet: true, signal })

/** No filter but the type: a request is known by its id alone. */
const anything = { token_name: '', model_name: '', group: '', start_timestamp: 0, end_timestamp: 0 }

const facts = z.object({ request_id: z.string() })

const requestIn = (other: string): string | undefined => facts.safeParse(parsed(other)).data?.request_id
