import { objectIn, parsed } from '../../base/json/json.ts'
import { JsonTooLarge, readJson } from '../../base/json/json-read.ts'
import { answerBounds } from '../../base/json/json-scan.ts'
import { editObject, spansIn } from '../../base/json/json-spans.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import { shown } from '../delivery/error-body.ts'
import { errorEvent } from '../delivery/error-shapes.ts'
import { LineTooLong } from '../formats/refusals.ts'
import type { MemoryShare } from '../intake/body-memory.ts'
import { hasEnded, MAX_ERROR_LENGTH } from '../metering/usage-tap.ts'
import type { UpstreamReply } from '../model/answer.ts'
import type { RequestContext } from '../model/request-context.ts'
import type { RelayDeps } from '../relay.ts'
import { tapFor, untouched } from '../transforms/stream-transforms.ts'
import { gatherAnswer } from '../upstream/gather.ts'
import { isEventStream, passedOn } from '../upstream/headers.ts'
import { scrubbed } from '../upstream/redaction.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'

/**
 * Forwards a vendor's response about a stored response, uncharged: complete, or as a stream up to its end. Masks the
 * channel's keys and address in errors. Throws `UpstreamError` for a complete response that cannot be read.
 */
export async function forwardAnswer(
  deps: RelayDeps,
  reply: UpstreamReply,
  channel: ActiveChannel,
  context: RequestContext,
  memory: MemoryShare,
) {
  reply.detach()
  try {
    if (isEventStream(reply.headers)) return await forwardEvents(deps, reply, channel, context)
    const bytes = await redacted(await gatherAnswer(reply, memory), channel)
    const { response, head } = context
    if (response.destroyed) return
    response.writeHead(reply.status, passedOn(reply.headers, head, { 'content-length': bytes.length }))
    response.end(bytes)
  } catch (error) {
    reply.abort()
    throw error
  }
}

/** Removes the channel's keys and address from the `error` member of a response; the other bytes are unchanged. */
async function redacted(bytes: Buffer, channel: ActiveChannel): Promise<Buffer> {
  const read = await readJson(bytes, answerBounds).catch((cause: unknown) => {
    if (cause instanceof JsonTooLarge) throw new UpstreamError(502, 'the upstream sent a response that is too long')
  })
  const { error } = objectIn(read?.json)
  if (!read || !error) return bytes
  const spans = spansIn(bytes, read.scan)
  const { valueStart, valueEnd } = spans.members.findLast(({ key }) => key === 'error') ?? {
    valueStart: 0,
    valueEnd: 0,
  }
  if (valueEnd - valueStart > MAX_ERROR_LENGTH)
    throw new UpstreamError(502, 'the upstream sent an error that is too long')
  const clean = parsed(scrubbed(JSON.stringify(error), channel))
  return editObject(bytes, spans, new Map([['error', clean]]))
}

function forwardEvents(
  deps: RelayDeps,
  reply: UpstreamReply,
  channel: ActiveChannel,
  context: RequestContext,
): Promise<void> {
  const { response, head, requestId, locale } = context
  // The `close` event has already fired.
  if (response.closed) return Promise.resolve(reply.abort())
  const { transform, tap } = untouched(tapFor(deps.codecs, 'responses', ''), false, (data) => scrubbed(data, channel))
  const broken = () => {
    const failure = shown(new UpstreamError(502, '', { transport: true }), { requestId, locale })
    const frame = { id: requestId, model: '', created: context.at, request: {} }
    return errorEvent('responses', failure, { next: 0, ...transform.position?.(), sentError: undefined, frame })
  }
  return new Promise((resolve) => {
    response.writeHead(reply.status, passedOn(reply.headers, head, {}))
    response.on('drain', () => reply.resume())
    response.once('close', () => {
      reply.abort()
      resolve()
    })
    const leave = (last: Buffer | string) => {
      reply.abort()
      response.end(last)
    }
    // Must not throw into the upstream's call, which would never end.
    const fail = (error: unknown) => {
      if (!(error instanceof LineTooLong)) deps.log.error('a stream failed', { requestId, error })
      leave(broken())
    }
    reply.pipe({
      chunk(bytes) {
        try {
          const out = transform.feed(bytes)
          if (!hasEnded(tap.observed)) return out.length === 0 || response.write(out)
          response.write(out)
          leave(tap.observed.unreadable ? broken() : '')
        } catch (error) {
          fail(error)
        }
        return true
      },
      end() {
        try {
          const left = transform.end()
          if (left.length > 0) response.write(left)
          leave(tap.observed.unreadable ? broken() : '')
        } catch (error) {
          fail(error)
        }
      },
      fail: () => response.destroy(),
    })
  })
}
