import { firstCall } from '../../shared/api/first-call.ts'
import type { SettledCalls } from '../relay/metering/settled-calls.ts'
import { serve } from './serve.ts'

/** Tells a console when the next call of its person's tokens has been charged. */
export const firstCallApi = (settled: SettledCalls) =>
  serve(firstCall, {
    wait:
      ({ actor }) =>
      (tell) =>
        settled.next(actor.id, ({ model, tokens, quota, requestId, at }) =>
          tell({ model, tokens, quota, request_id: requestId, at }),
        ),
  })
