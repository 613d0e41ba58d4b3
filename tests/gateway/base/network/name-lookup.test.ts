import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createNameLookup } from '../../../../gateway/base/network/name-lookup.ts'
import { aNameServer } from '../../../support/name-server.ts'

async function aHostsFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'hosts')
  await writeFile(path, text)
  return path
}

describe('a name that people name', () => {
  it('has all its addresses of both families, as the name server returns them', async () => {
    const server = await aNameServer(() => ['192.0.2.1', '2001:db8::1', '192.0.2.2'])
    const lookup = createNameLookup({ servers: [server.address] })
    expect(await lookup('pictures.example')).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '192.0.2.2', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ])
    expect(server.asked).toEqual(['pictures.example', 'pictures.example'])
  })

  it('may have addresses of one family only', async () => {
    const server = await aNameServer((name) => [name.startsWith('four') ? '192.0.2.1' : '2001:db8::1'])
    const lookup = createNameLookup({ servers: [server.address] })
    expect(await lookup('four.example')).toEqual([{ address: '192.0.2.1', family: 4 }])
    expect(await lookup('six.example')).toEqual([{ address: '2001:db8::1', family: 6 }])
  })

  it('that does not exist is refused with the code of the name server', async () => {
    const server = await aNameServer(() => [])
    const lookup = createNameLookup({ servers: [server.address] })
    await expect(lookup('nobody.example')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })

  it('whose name server is silent is given up in time', async () => {
    const server = await aNameServer(() => undefined)
    const lookup = createNameLookup({ servers: [server.address], withinMs: 50 })
    await expect(lookup('silent.example')).rejects.toMatchObject({ code: 'ECANCELLED' })
  })

  it('is taken from the hosts file if listed there, also after the file has changed', async () => {
    const server = await aNameServer(() => ['192.0.2.9'])
    const hostsFile = await aHostsFile(
      '# files.lan\n10.0.0.5\tfiles.lan Files-Too.lan # the old one\n::5 files.lan\nnonsense files.lan\n',
    )
    const lookup = createNameLookup({ servers: [server.address], hostsFile })
    const both = [
      { address: '10.0.0.5', family: 4 },
      { address: '::5', family: 6 },
    ]
    expect(await lookup('files.lan')).toEqual(both)
    expect(await lookup('FILES.lan.')).toEqual(both)
    expect(await lookup('files-too.lan')).toEqual([{ address: '10.0.0.5', family: 4 }])
    expect(server.asked).toEqual([])
    expect(await lookup('more.files.lan')).toEqual([{ address: '192.0.2.9', family: 4 }])
    await writeFile(hostsFile, '10.0.0.6 files.lan')
    expect(await lookup('files.lan')).toEqual([{ address: '10.0.0.6', family: 4 }])
  })

  it('is this machine where it is localhost, unless the hosts file has another address', async () => {
    const server = await aNameServer(() => ['192.0.2.9'])
    const servers = [server.address]
    const loopback = [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]
    const lookup = createNameLookup({ servers, hostsFile: '/nowhere/hosts' })
    expect(await lookup('localhost')).toEqual(loopback)
    expect(await lookup('files.localhost.')).toEqual(loopback)
    const written = createNameLookup({ servers, hostsFile: await aHostsFile('127.0.0.1 localhost') })
    expect(await written('localhost')).toEqual([{ address: '127.0.0.1', family: 4 }])
    expect(server.asked).toEqual([])
  })
})
