import type { Call } from '../model/call.ts'
import type { RequestContext } from '../model/request-context.ts'

/** What every stream says of itself besides its type. */
export const STREAMED = { 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }

/** The head of a stream of server-sent events that is the gateway's own. */
export const STREAM_HEAD = { 'content-type': 'text/event-stream; charset=utf-8', ...STREAMED }

/** Gemini's stream is one JSON array unless server-sent events are asked for. */
export const isArray = ({ query }: RequestContext, { format, stream }: Call): boolean =>
  format === 'gemini' && stream && !/(^|&)alt=sse(&|$)/.test(query)
