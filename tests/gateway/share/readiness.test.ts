import { expect, it } from 'vitest'
import { aFreshGateway } from '../api/fresh-gateway.ts'

it('is refused before the setup', async () => {
  const gateway = await aFreshGateway()
  await expect(gateway.shell.share(true, 'en')).rejects.toMatchObject({ key: 'share.not_set_up' })
  expect(gateway.shell.isShared()).toBe(false)
})
