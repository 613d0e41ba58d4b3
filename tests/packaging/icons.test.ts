import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const folder = join(import.meta.dirname, '../../resources')
const read = (name: string) => readFileSync(join(folder, name))

/** Width and height of a PNG with eight bits per channel and transparency; throws for any other file. */
function sizeOf(png: Buffer): [number, number] {
  expect(png.toString('latin1', 1, 8)).toBe('PNG\r\n\x1a\n')
  expect(png.toString('latin1', 12, 16)).toBe('IHDR')
  expect([png[24], png[25]]).toEqual([8, 6])
  expect(png.toString('latin1', png.length - 8, png.length - 4)).toBe('IEND')
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

describe('the icons that `npm run icons` draws', () => {
  it('are there for Linux in every size of its themes', () => {
    const sizes = [16, 24, 32, 48, 64, 128, 256, 512]
    expect(readdirSync(join(folder, 'icons')).sort()).toEqual(sizes.map((size) => `${size}x${size}.png`).sort())
    for (const size of sizes) expect(sizeOf(read(`icons/${size}x${size}.png`))).toEqual([size, size])
  })

  it('are there for the tray at both densities, for macOS as a template', () => {
    for (const [name, size] of [
      ['tray.png', 16],
      ['tray@2x.png', 32],
      ['trayTemplate.png', 16],
      ['trayTemplate@2x.png', 32],
    ] as const)
      expect(sizeOf(read(`tray/${name}`)), name).toEqual([size, size])
  })

  it('are there for Windows in one file', () => {
    const ico = read('icon.ico')
    expect([ico.readUInt16LE(0), ico.readUInt16LE(2)]).toEqual([0, 1])
    const pictures = Array.from({ length: ico.readUInt16LE(4) }, (_, index) => {
      const at = 6 + 16 * index
      const place = ico.readUInt32LE(at + 12)
      const [width, height] = sizeOf(ico.subarray(place, place + ico.readUInt32LE(at + 8)))
      expect([ico[at], ico[at + 1], ico.readUInt16LE(at + 6)]).toEqual([width % 256, height % 256, 32])
      return width
    })
    expect(pictures).toEqual([16, 24, 32, 48, 64, 128, 256])
  })

  it('are there for macOS in one file, up to 1024', () => {
    const icns = read('icon.icns')
    expect([icns.toString('latin1', 0, 4), icns.readUInt32BE(4)]).toEqual(['icns', icns.length])
    const pictures: [string, number][] = []
    for (let at = 8; at < icns.length; at += icns.readUInt32BE(at + 4)) {
      const [width] = sizeOf(icns.subarray(at + 8, at + icns.readUInt32BE(at + 4)))
      pictures.push([icns.toString('latin1', at, at + 4), width])
    }
    expect(Object.fromEntries(pictures)).toEqual({
      ...{ ic11: 32, ic12: 64, ic07: 128, ic13: 256, ic08: 256, ic14: 512, ic09: 512, ic10: 1024 },
    })
  })

  it('are small', () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const bytes = files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
    expect(bytes).toBeLessThan(150_000)
  })
})
