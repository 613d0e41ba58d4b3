#!/usr/bin/env node
// The command `switchyard` (docs/reference/command-line.md): what was built where this is an installed package, whose TypeScript
// Node does not run, and the sources in a tree that is worked on. It is old JavaScript, so that an old Node says what it lacks in
// place of a syntax error.
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
