import type { ErrorFacts } from '../../delivery/error-shapes.ts'

/** An error as an event of a realtime session (spec/relay.md §5.3). */
export const errorFrame = (requestId: string, { message, type, param, code }: ErrorFacts): string =>
  JSON.stringify({
    type: 'error',
    event_id: `evt_${requestId}`,
    error: { type, code: code === '' ? null : code, message, param: param === '' ? null : param },
  })
