// `npm run icons`: renders resources/icon.svg in every size and container that the systems need, with a headless
// Chromium. The output is committed, so that a release needs no browser; run it after changing the drawing.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { chromiumLaunch } from '../tests/e2e/chromium.ts'
import { ensureChromium } from './browser.mjs'
import { fail, root } from './node24.mjs'

const folder = join(root, 'resources')
const drawing = readFileSync(join(folder, 'icon.svg'), 'utf8')
const variants = {
  full: drawing,
  // Apple leaves a tenth of the square free on each side.
  mac: drawing.replace('viewBox="0 0 32 32"', 'viewBox="-4 -4 40 40"'),
  // macOS colours the opaque pixels of menu bar icons itself.
  template: drawing
    .replace(/ {2}<rect [^>]*\/>\n/, '')
    .replace('0 0 32 32', '3 3 26 26')
    .replace('stroke="#fff"', 'stroke="#000"'),
}
const linuxSizes = [16, 24, 32, 48, 64, 128, 256, 512]
const windowsSizes = [16, 24, 32, 48, 64, 128, 256]
/** Types that Finder reads; the second one of a size is for screens of twice the density. */
const macTypes = [
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
]
const trays = [
  ['tray.png', 'full', 16],
  ['tray@2x.png', 'full', 32],
  ['trayTemplate.png', 'template', 16],
  ['trayTemplate@2x.png', 'template', 32],
]

if (!(await ensureChromium([]))) fail('no Chromium was found to draw the icons with; set CHROMIUM to its path')
const browser = await chromium.launch(chromiumLaunch())
try {
  await drawAll()
} finally {
  await browser.close()
}

async function drawAll() {
  for (const name of ['icons', 'tray']) {
    rmSync(join(folder, name), { recursive: true, force: true })
    mkdirSync(join(folder, name))
  }
  for (const size of linuxSizes) write(`icons/${size}x${size}.png`, await drawn('full', size))
  for (const [name, variant, size] of trays) write(`tray/${name}`, await drawn(variant, size))
  write('icon.ico', ico(await Promise.all(windowsSizes.map(async (size) => [size, await drawn('full', size)]))))
  write('icon.icns', icns(await Promise.all(macTypes.map(async ([type, size]) => [type, await drawn('mac', size)]))))
}

async function drawn(variant, size) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${variants[variant]}`)
  const picture = await page.screenshot({ omitBackground: true })
  await page.close()
  return picture
}

function write(name, bytes) {
  writeFileSync(join(folder, name), bytes)
  console.log(`resources/${name} ${bytes.length} bytes`)
}

/**
 * An .ico file: a directory of PNG images (width and height, of which 0 means 256, planes, bits, length and offset),
 * then the images.
 */
function ico(pictures) {
  const head = Buffer.alloc(6 + 16 * pictures.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let place = head.length
  for (const [index, [size, { length }]] of pictures.entries()) {
    const at = 6 + 16 * index
    head.writeUInt8(size % 256, at)
    head.writeUInt8(size % 256, at + 1)
    head.writeUInt16LE(1, at + 4)
    head.writeUInt16LE(32, at + 6)
    head.writeUInt32LE(length, at + 8)
    head.writeUInt32LE(place, at + 12)
    place += length
  }
  return Buffer.concat([head, ...pictures.map(([, bytes]) => bytes)])
}

/** An .icns file: PNG images by type; each length includes the eight bytes of its header. */
function icns(pictures) {
  const parts = pictures.flatMap(([type, bytes]) => [labelled(type, bytes.length), bytes])
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([labelled('icns', length), ...parts])
}

function labelled(type, length) {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32BE(length + 8, 4)
  return head
}
