import { z } from 'zod'

/** The result of a consistency check; each field is a number of rows or channels. */
export const consistency = z.object({
  rerouted: z.int().describe('Channels whose state in the routing differed from the database.'),
  keys: z.int().describe('Stored states of keys that no channel has any more.'),
  seen: z.int().describe('Client usage stored for channels that no longer exist.'),
  tokens: z.int().describe('API tokens of deleted users.'),
  unreadable: z.int().describe('Channels whose stored key cannot be decrypted; enter their keys again.'),
})
export type Consistency = z.infer<typeof consistency>
