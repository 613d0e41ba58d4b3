import { objectIn, objectsIn, parsed, present, textIn } from '../../base/json/json.ts'
import type { Json } from '../formats/codec.ts'
import type { UpstreamReply } from '../model/answer.ts'
import type { Bridge, DialTools, SentRequest, Target } from './provider.ts'
import { dropOthers, refuseStream } from './vectors.ts'
import { readReply, undelivered, WholeReply, waitFor } from './whole-reply.ts'

/**
 * DashScope's image synthesis: the prompt in `input`, size and number in `parameters`
 * (docs/reference/channel-types.md#alibaba-dashscope).
 */
export const aliImages: Bridge = {
  request(json, { model }, drop) {
    refuseStream('Alibaba', json)
    dropOthers(json, ['prompt', 'negative_prompt', 'n', 'size', 'seed', 'style', 'response_format'], drop)
    const { prompt, negative_prompt, n, size, seed, style } = json
    const isSize = typeof size === 'string' && SIZE.test(size)
    if (!isSize && size !== undefined && size !== null) drop('size')
    return {
      model,
      input: present({ prompt, negative_prompt }),
      parameters: present({ size: isSize ? size.replace('x', '*') : undefined, n, seed, style }),
    }
  },
  answer({ output }) {
    const data = objectsIn(objectIn(output).results).flatMap(({ url, b64_json }) =>
      url || b64_json ? [present({ url, b64_json })] : [],
    )
    return { data }
  },
}

/** Excludes OpenAI's `auto`. */
const SIZE = /^\d+[x*]\d+$/
const MAX_POLLS = 20
const POLL_INTERVAL_MS = 3000
const MAX_BYTES = 64 * 1024

/**
 * Submits an image task and polls it until it ends, every 3 seconds and at most 20 times (DashScope, "Asynchronous
 * tasks"). Returns the vendor's description of the finished task, with the images themselves if the caller requested
 * them.
 */
export async function drawn(target: Target, sent: SentRequest, tools: DialTools): Promise<UpstreamReply> {
  const { url, headers, bytes, original } = sent
  const order = await tools.request(url, { method: 'POST', headers, bytes })
  const isGood = order.status >= 200 && order.status <= 299
  const body = await readReply(order, MAX_BYTES)
  const json = objectIn(parsed(body.toString()))
  if (!isGood) return new WholeReply(order.status, json)
  const id = textIn(objectIn(json.output).task_id)
  if (id === undefined) return failure(502, textIn(json.message) ?? 'the provider returned no task')
  tools.accepted()
  const task = await finished(target, id, tools)
  if (!task) return undelivered('the images were not generated in time, but the provider bills them')
  if (task.status !== SUCCEEDED) return failedTask(task.output)
  if (original?.response_format !== 'b64_json') return new WholeReply(200, task.json)
  const named = objectsIn(task.output.results)
  const files = await tools.fetchFiles(named.map(({ url }) => textIn(url) ?? '')).catch(() => [])
  const results = named.map((result, index) => withBytes(result, files[index]))
  return new WholeReply(200, { ...task.json, output: { ...task.output, results } })
}

const SUCCEEDED = 'SUCCEEDED'
const statuses = { SUCCEEDED: true, FAILED: true, CANCELED: true, UNKNOWN: true }

type Task = Readonly<{ json: Json; output: Json; status: string }>

/**
 * Returns the task once it has ended; undefined if it still runs after all polls or at the end of the call. A failed
 * poll does not end the polling, because the vendor bills the task regardless.
 */
async function finished(
  { channel }: Target,
  id: string,
  { requestJson, cancellation }: DialTools,
): Promise<Task | undefined> {
  const url = new URL(`${channel.baseUrl}/api/v1/tasks/${encodeURIComponent(id)}`)
  const headers = { authorization: `Bearer ${channel.key}`, accept: 'application/json' }
  for (let poll = 1; poll <= MAX_POLLS; poll += 1) {
    if (poll > 1) await waitFor(cancellation, POLL_INTERVAL_MS)
    if (cancellation.ended) return undefined
    const json = await requestJson(url, { method: 'GET', headers }).catch(() => NO_REPORT)
    const output = objectIn(json.output)
    const status = textIn(output.task_status) ?? ''
    if (status in statuses) return { json, output, status }
  }
  return undefined
}

const NO_REPORT: Json = {}

const INSPECTED = /^DataInspection|^InvalidParameter/

function failedTask({ code, message, task_status }: Json): WholeReply {
  const isOurs = INSPECTED.test(textIn(code) ?? '')
  return failure(
    isOurs ? 400 : 502,
    textIn(message) ?? `the task ended as ${textIn(task_status) ?? 'unknown'}`,
    textIn(code),
  )
}

const failure = (status: number, message: string, code = 'task_failed'): WholeReply =>
  new WholeReply(status, { error: { message, type: 'dashscope_error', code } })

/** Returns an image as bytes, or with its URL if it could not be fetched. */
function withBytes({ url, ...rest }: Json, file: string | undefined): Json {
  if (url === undefined) return rest
  return file === undefined ? { ...rest, url } : { b64_json: file }
}
