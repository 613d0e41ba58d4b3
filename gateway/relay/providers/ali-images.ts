import { objectIn, objectsIn, parsed, present, textIn } from '../../base/json/json.ts'
import type { Json } from '../formats/codec.ts'
import type { UpstreamReply } from '../model/answer.ts'
import type { Bridge, DialTools, SentRequest, Target } from './provider.ts'
import { dropOthers, refuseStream } from './vectors.ts'
import { readReply, WholeReply, waitFor } from './whole-reply.ts'

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
  const task = await finished(target, id, tools)
  if (!(task.status in statuses)) return failure(504, 'the images were not generated in time')
  if (task.status !== SUCCEEDED) return failedTask(task.output)
  if (original?.response_format !== 'b64_json') return new WholeReply(200, task.json)
  const named = objectsIn(task.output.results)
  const files = await tools.fetchFiles(named.map(({ url }) => textIn(url) ?? ''))
  const results = named.map((result, index) => withBytes(result, files[index]))
  return new WholeReply(200, { ...task.json, output: { ...task.output, results } })
}

const SUCCEEDED = 'SUCCEEDED'
const statuses = { SUCCEEDED: true, FAILED: true, CANCELED: true, UNKNOWN: true }

type Task = Readonly<{ json: Json; output: Json; status: string }>

async function finished({ channel }: Target, id: string, { requestJson: ask, cancellation }: DialTools): Promise<Task> {
  const url = new URL(`${channel.baseUrl}/api/v1/tasks/${encodeURIComponent(id)}`)
  const headers = { authorization: `Bearer ${channel.key}`, accept: 'application/json' }
  for (let turn = 1; ; turn += 1) {
    const json = await ask(url, { method: 'GET', headers })
    const output = objectIn(json.output)
    const task = { json, output, status: textIn(output.task_status) ?? 'UNKNOWN' }
    if (task.status in statuses || turn === MAX_POLLS) return task
    await waitFor(cancellation, POLL_INTERVAL_MS)
    if (cancellation.ended) throw new Error('the call has ended')
  }
}

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

/** Returns the URL of an image that could not be fetched. */
function withBytes({ url, ...rest }: Json, file: string | undefined): Json {
  if (url === undefined) return rest
  return file === undefined ? { ...rest, url } : { b64_json: file }
}
