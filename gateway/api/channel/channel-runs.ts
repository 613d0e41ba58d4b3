import { channelRuns } from '../../../shared/api/channel-runs.ts'
import type { Channels } from '../../channels/channels.ts'
import { type Served, serve } from '../serve.ts'
import { testerFrom } from './test-initiator.ts'

/**
 * Deep tests of channels, progress of runs over all of them, and tests of proxies (docs/reference/channels.md#tests,
 * docs/reference/channels.md#balances).
 */
export const channelRunsApi = ({ deepTest, runs, verifyProxy }: Channels): Served[] =>
  serve(channelRuns, {
    deepTest: ({ params, body, actor, caller }) => deepTest(params.id, body.model, testerFrom(actor, caller)),
    runs: () => runs.list(),
    cancelRun: ({ params }) => {
      runs.cancel(params.kind)
      return null
    },
    verifyProxy: ({ body }) => verifyProxy(body),
  })
