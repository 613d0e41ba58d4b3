import { z } from 'zod'
import { call } from './call.ts'
import { weight } from './channel.ts'
import { ids } from './fields.ts'

const hourly = z.array(z.int()).describe('24 numbers, oldest hour first.')

const activity = z
  .object({
    since: z
      .int()
      .describe('Start of the first of the 24 UTC hours, in Unix seconds; the last one is the current hour.'),
    channels: z.array(
      z.object({
        channel_id: z.int(),
        served: hourly,
        failed: hourly.describe(
          'Requests that failed on this channel, including those that another channel then served; 24 numbers.',
        ),
      }),
    ),
  })
  .meta({ id: 'ChannelActivity' })
export type ChannelActivity = z.infer<typeof activity>

const change = z
  .object({
    ids,
    status: z
      .union([z.literal(1), z.literal(2)])
      .optional()
      .describe('1 enabled, 2 disabled.'),
    priority: z.int().min(-1_000_000_000).max(1_000_000_000).optional(),
    weight: weight.optional(),
  })
  .refine(({ status, priority, weight }) => [status, priority, weight].some((field) => field !== undefined))
export type ManyChange = z.output<typeof change>

/** Bulk queries and changes of channels. */
export const channelMany = {
  activity: call({
    method: 'POST',
    path: '/api/channel/activity',
    summary: 'Returns the number of requests that channels served and failed in each of the last 24 hours.',
    access: 'admin',
    onDemo: 'open',
    body: z.object({ ids }),
    answer: activity,
  }),
  change: call({
    method: 'PUT',
    path: '/api/channel/batch',
    summary: 'Enables or disables several channels, or sets their priority or weight, and returns how many changed.',
    access: 'admin',
    body: change,
    answer: z.int(),
  }),
}
