#!/usr/bin/env node
// The command `switchyard` (docs/reference/command-line.md): runs the build in an installed package, where Node runs no
// TypeScript, and the sources in a development tree. It is written in old JavaScript, so that an old Node reports its
// version instead of a syntax error.
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')

const [major, minor, patch] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && (minor < 14 || (minor === 14 && patch < 1)))) {
  console.error(
    `Switchyard needs Node 24.14.1 or later, this is ${process.version}: install it from https://nodejs.org`,
  )
  process.exit(1)
}
const source = join(__dirname, '..', 'gateway', 'headless.mjs')
const built = join(__dirname, '..', 'out', 'main', 'gateway.js')
import(pathToFileURL(existsSync(source) ? source : built))
