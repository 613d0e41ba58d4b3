import { expect, it } from 'vitest'
import type { OwnAddress } from '../../../gateway/share/interfaces.ts'
import { dataOf } from '../../support/client.ts'
import { aClock } from '../../support/clock.ts'
import type { World } from '../../support/world.ts'
import { aSharedWorld, callFrom, change, ELSEWHERE, failureOf, HERE, look, ownAddress } from './shared-world.ts'

type Job = Readonly<{ name: string; running: unknown }>

const isRunning = async (world: World): Promise<boolean> =>
  dataOf(await world.admin.get('/api/job')).find(({ name }: Job) => name === 'share').running !== null

it('follows the interface of the chosen address when DHCP assigns another, and reports it (docs/reference/share.md#listeners)', async () => {
  const clock = aClock()
  const world = await aSharedWorld({ clock })
  const lan = (address: string) => ({ ...ownAddress(address), name: 'lan0' })
  const turn = async (...machine: OwnAddress[]) => {
    world.machine.splice(0, world.machine.length, ...machine)
    clock.advanceSeconds(11)
    dataOf(await world.admin.post('/api/job/share/run', {}))
    await expect.poll(async () => await isRunning(world)).toBe(false)
    const [address, ...others] = (await look(world)).addresses
    expect(others).toEqual([])
    return address
  }
  world.machine.splice(0, 1, lan(HERE))
  await change(world, { on: true, is_encrypted: false, address: HERE })
  expect((await look(world)).addresses).toMatchObject([{ address: HERE, instead_of: '', is_open: true }])
  const others = { ...ownAddress('127.0.0.4'), name: 'vpn0' }
  const sixth = { ...lan('fd00::5'), network: 'fd00::/64' }
  expect(await turn(others, sixth)).toMatchObject({ address: HERE, is_open: false, reason: 'address_gone' })
  expect(await turn(others, sixth, lan(ELSEWHERE))).toMatchObject({
    address: ELSEWHERE,
    instead_of: HERE,
    is_open: true,
  })
  const url = `http://${ELSEWHERE}:${world.port}/api/status`
  expect((await callFrom(url)).status).toBe(200)
  await change(world, { name: 'yard' })
  expect((await look(world)).addresses).toMatchObject([{ address: ELSEWHERE, is_open: true }])
  expect(await turn(others, lan(HERE))).toMatchObject({ address: HERE, instead_of: '', is_open: true })
  expect(await failureOf(callFrom(url))).toBe('ECONNREFUSED')
})
