import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { consoles } from './furnished.ts'
import { readReadmePages, textsFile } from './readme-pictures.ts'
import { test } from './shared-browser.ts'

test('the pictures in the README show the pages as they are; else `npm run screenshots readme` takes them again', async ({
  browser,
}) => {
  const served = await consoles()
  try {
    expect(await readReadmePages(browser, served)).toEqual(JSON.parse(await readFile(textsFile, 'utf8')))
  } finally {
    await served.stop()
  }
})
