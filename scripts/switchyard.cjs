#!/usr/bin/env node
// The command `switchyard` (docs/reference/command-line.md): runs the build in an installed package, where Node runs no
// TypeScript, and the sources in a development tree. It is written in old JavaScript, so that an old Node reports its
// version instead of a syntax error.
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')

const major = Number.parseInt(process.versions.node, 10)
if (major < 24) {
  console.error(`Switchyard needs Node 24 or later, this is ${process.version}: install it from https://nodejs.org`)
  process.exit(1)
}
const source = join(__dirname, '..', 'gateway', 'headless.mjs')
const built = join(__dirname, '..', 'out', 'main', 'gateway.js')
import(pathToFileURL(existsSync(source) ? source : built))
