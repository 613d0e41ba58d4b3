import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { aHouse, PROMPT, question, seenBy } from './house.ts'

/** Limits a process's writes to 0 bytes per file, as on a full disk, or removes the limit. */
const limitFiles = (pid: number, max: '0' | 'unlimited') =>
  spawnSync('prlimit', [`--pid=${pid}`, `--fsize=${max}:unlimited`]).status === 0

const canLimit = process.platform === 'linux' && spawnSync('prlimit', ['--version']).status === 0

describe.runIf(canLimit)('a full disk (docs/reference/reliability.md#faults)', () => {
  it('refuses new calls before the upstream request, ends running ones, and bills everything once there is space', async () => {
    const house = await aHouse()
    const child = await house.start()
    const [key] = house.keys
    const ask = (pieces: number, gapMs = 0) => seenBy(child.url, { key, content: question(pieces, gapMs) })
    const before = await ask(4)
    let flows = () => {}
    const flowing = new Promise<void>((resolve) => {
      flows = resolve
    })
    // Longer than five seconds, so that a checkpoint occurs while the disk is full.
    const long = seenBy(child.url, { key, content: question(60, 110), onPiece: () => flows() })
    await flowing
    const short = ask(20, 30)
    await expect.poll(() => house.upstream.requests).toHaveLength(3)
    expect(limitFiles(child.pid, '0')).toBe(true)

    expect(await short).toMatchObject({ done: true, pieces: 20 })
    const asked = house.upstream.requests.length
    await expect.poll(async () => (await ask(1)).status).toBe(503)
    const served = house.upstream.requests.length - asked
    expect((await ask(1)).text).toContain('storage_unavailable')
    expect((await fetch(`${child.url}/api/status`)).status).toBe(200)
    const seen = await long
    expect(seen).toMatchObject({ done: true, pieces: 60 })
    expect((await ask(1)).status).toBe(503)
    expect(house.upstream.requests).toHaveLength(asked + served)

    expect(limitFiles(child.pid, 'unlimited')).toBe(true)
    await expect.poll(async () => (await ask(1)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await child.ended).toMatchObject({ code: 0, err: '' })
    const { wrong, charges, logged } = await house.books()
    expect(wrong).toEqual([])
    expect(logged).toEqual(charges)
    const charged = new Map(charges)
    for (const { requestId, pieces } of [before, await short, seen])
      expect(charged.get(requestId)).toBe(PROMPT + pieces)
    expect(charges).toHaveLength(house.upstream.requests.length)
  })
})
