import { z } from 'zod'

/** The result of a consistency check; each field is a number of rows or channels. */
export const consistency = z.object({
  rerouted: z.int().describe('Channels whose routing differed from their rows.'),
  keys: z.int().describe('States of keys that no channel has.'),
  seen: z.int().describe('Notes on clients of channels that there are not.'),
  tokens: z.int().describe('API tokens of users who were deleted.'),
  unreadable: z.int().describe('Channels whose stored key cannot be opened; a new one has to be entered.'),
})
export type Consistency = z.infer<typeof consistency>
