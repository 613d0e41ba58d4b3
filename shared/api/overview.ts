import { z } from 'zod'
import { call } from './call.ts'
import { queryNumber } from './fields.ts'

const coolingChannel = z.object({
  id: z.int(),
  name: z.string(),
  kind: z.enum(['limited', 'failing']),
  seconds: z.int().describe('Seconds until the cooldown ends.'),
})

/** Recent activity of an installation or account, and what needs attention (docs/reference/api.md#overview). */
const overviewView = z
  .object({
    scope: z
      .enum(['all', 'own'])
      .describe('Whether these are the figures of all accounts (for administrators) or your own.'),
    since: z.int().describe('Unix seconds; the figures begin here.'),
    made_at: z.int().describe('Unix seconds; figures are up to ten seconds old.'),
    usage: z
      .object({
        requests: z.int().describe('Charged requests.'),
        errors: z.int().describe('Requests that failed and left a row in the log.'),
        quota: z.int(),
        tokens: z.int().describe('Prompt and completion tokens.'),
        is_partial: z
          .boolean()
          .describe(
            'Whether only the newest 50,000 rows were counted. The log is read if `since` is not the start of an hour.',
          ),
      })
      .meta({ id: 'OverviewUsage' }),
    tokens: z.int().describe('Number of your API tokens.'),
    has_requests: z.boolean().describe('Whether your account has made a request; for administrators, any account.'),
    channels: z
      .object({
        total: z.int(),
        enabled: z.int(),
        disabled: z.int().describe('Disabled by an administrator.'),
        auto_disabled: z.int().describe('Disabled by the system.'),
        cooling: z.int().describe('Number of channels that are cooling down.'),
        cooling_first: z.array(coolingChannel).describe('At most five of them, the longest cooldown first.'),
      })
      .nullable()
      .describe('Null without administrator rights.')
      .meta({ id: 'OverviewChannels' }),
    unpriced: z
      .object({ total: z.int(), first: z.array(z.string()).describe('At most five, by name.') })
      .nullable()
      .describe('Number of offered models without a price; null without administrator rights.'),
  })
  .meta({ id: 'Overview' })
export type Overview = z.infer<typeof overviewView>

/** The overview on the console's dashboard. */
export const overview = {
  read: call({
    method: 'GET',
    path: '/api/overview',
    summary: 'Returns requests, cost and errors, the state of channels, and missing prices.',
    access: 'user',
    /**
     * `since` in unix seconds, such as local midnight; a time that is absent, in the future or over 48 hours ago means
     * 24 hours ago.
     */
    query: z.object({ since: queryNumber() }),
    answer: overviewView,
  }),
}
