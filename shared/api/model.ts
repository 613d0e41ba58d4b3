import { z } from 'zod'
import { call } from './call.ts'

/** Numbers of channels that serve a group, of accounts in it, and of API tokens that use it. */
const groupUsage = z.object({
  channels: z.int().min(0),
  users: z.int().min(0),
  tokens: z.int().min(0),
})
export type GroupUsage = z.infer<typeof groupUsage>

/** Groups and known models (docs/reference/api.md#groups-and-models). */
export const model = {
  groups: call({
    method: 'GET',
    path: '/api/group',
    summary: 'Lists the names of all groups.',
    access: 'admin',
    answer: z.array(z.string()),
  }),
  groupUsage: call({
    method: 'GET',
    path: '/api/group/usage',
    summary: 'Counts the channels, accounts and tokens of each group that is in use, whether or not it has a ratio.',
    access: 'admin',
    answer: z.record(z.string(), groupUsage).describe('The figures of each group; at most 1,000 groups.'),
  }),
  /** Channel type id → its usual model names; the console stores it as `channel_models`. */
  byChannelType: call({
    method: 'GET',
    path: '/api/models',
    summary: 'Lists the default models of each channel type.',
    access: 'user',
    answer: z.record(z.string(), z.array(z.string())),
  }),
}
