import { z } from 'zod'
import { call } from './call.ts'
import { queryNumber } from './fields.ts'

const coolingChannel = z.object({
  id: z.int(),
  name: z.string(),
  kind: z.enum(['limited', 'failing']),
  seconds: z.int().describe('Seconds until the next query is useful.'),
})

/** Recent activity of an installation or account, and what needs attention (docs/reference/api.md#overview). */
const overviewView = z
  .object({
    scope: z.enum(['all', 'own']).describe('Whose figures: of all accounts for administrators, else the own.'),
    since: z.int().describe('Unix seconds; the figures begin here.'),
    made_at: z.int().describe('Unix seconds; figures are up to ten seconds old.'),
    usage: z
      .object({
        requests: z.int().describe('Requests that were charged.'),
        errors: z.int().describe('Requests that failed and left a row in the log.'),
        quota: z.int(),
        tokens: z.int().describe('Prompt and completion together.'),
        is_partial: z
          .boolean()
          .describe(
            'There were more than 50,000 rows of the log, which is read where no hour begins at since; the newest were counted.',
          ),
      })
      .meta({ id: 'OverviewUsage' }),
    tokens: z.int().describe('How many API tokens you have.'),
    has_requests: z.boolean().describe('Your account has made a request before; for administrators, any account.'),
    channels: z
      .object({
        total: z.int(),
        enabled: z.int(),
        disabled: z.int().describe('By hand.'),
        auto_disabled: z.int().describe('By the system.'),
        cooling: z.int().describe('How many are cooling down.'),
        cooling_first: z.array(coolingChannel).describe('At most five of them, the longest first.'),
      })
      .nullable()
      .describe('Null without administrator rights.')
      .meta({ id: 'OverviewChannels' }),
    unpriced: z
      .object({ total: z.int(), first: z.array(z.string()).describe('At most five, by name.') })
      .nullable()
      .describe('Models that are offered without a price; null without administrator rights.'),
  })
  .meta({ id: 'Overview' })
export type Overview = z.infer<typeof overviewView>

/** The overview on the console's home page. */
export const overview = {
  read: call({
    method: 'GET',
    path: '/api/overview',
    summary: 'Returns the state of channels, requests, cost and errors, and what is missing.',
    access: 'user',
    /**
     * `since` in unix seconds, such as local midnight; a time that is absent, in the future or over 48 hours ago means
     * 24 hours ago.
     */
    query: z.object({ since: queryNumber() }),
    answer: overviewView,
  }),
}
