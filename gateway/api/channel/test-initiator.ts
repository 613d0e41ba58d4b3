import type { TestInitiator } from '../../channels/testing/test.ts'
import type { Actor, ApiCaller } from '../actor.ts'

export const testerFrom = ({ id, username, group }: Actor, { ip, locale }: ApiCaller): TestInitiator => ({
  id,
  username,
  group,
  ip,
  locale,
})
