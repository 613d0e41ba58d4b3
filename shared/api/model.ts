import { z } from 'zod'
import { call } from './call.ts'

/** Groups and the models known to the installation (docs/reference/api.md#groups-and-models). */
export const model = {
  groups: call({
    method: 'GET',
    path: '/api/group',
    summary: 'Lists the names of all groups.',
    access: 'admin',
    answer: z.array(z.string()),
  }),
  /** Channel type id → its usual model names; the console keeps it as `channel_models`. */
  byChannelType: call({
    method: 'GET',
    path: '/api/models',
    summary: 'Lists the usual models of each channel type.',
    access: 'user',
    answer: z.record(z.string(), z.array(z.string())),
  }),
}
