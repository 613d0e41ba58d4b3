import type { Tester } from '../channels/testing/test.ts'
import type { Actor, Caller } from './actor.ts'

/** In whose name, and for whose eyes, a channel is tested. */
export const testerFrom = ({ id, username, group }: Actor, { ip, locale }: Caller): Tester => ({
  id,
  username,
  group,
  ip,
  locale,
})
