import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { readConfig } from '../../gateway/config.ts'
import { CannotStart, EXIT } from '../../gateway/store/sqlite/database.ts'
import { lockedOutPage } from '../../main/locked-out-page.ts'
import { type Diagnosis, diagnose } from '../../main/startup-diagnosis.ts'
import { startupPage } from '../../main/startup-page.ts'
import { updatePage } from '../../main/update/update-page.ts'
import { expectAccessible } from './accessible.ts'
import { test } from './shared-browser.ts'
import { troublesOf } from './visitor.ts'

/** A damaged database with two backups, in a folder with a long name: the fullest page. */
async function aDamage(): Promise<{ found: Diagnosis; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), `switchyard-${'long-'.repeat(12)}`))
  for (const name of ['switchyard.db.v1.bak', 'switchyard.db.v2.bak']) await writeFile(join(folder, name), 'a backup')
  // A verified backup, which has a button.
  await mkdir(join(folder, 'backups'))
  const backup = join(folder, 'backups', 'switchyard-20261123T030512Z.db')
  const about = { product: 'switchyard', kind: 'backup', version: 1, made_at: 1_795_000_000, made_by: 'schedule' }
  const sums = { release: '0.1.0', schema: 1, bytes: 8, sha256: '', key_id: '5f1c09ab', differences: 0 }
  await writeFile(backup, 'a backup')
  await writeFile(`${backup}.json`, JSON.stringify({ ...about, ...sums }))
  const error = new CannotStart(EXIT.badData, `the database ${join(folder, 'switchyard.db')} is damaged`)
  const found = diagnose(error, { config: readConfig({ DATA_DIR: folder }, []), freePort: undefined })
  if (!found) throw new Error('a damaged database is a case for the startup diagnosis')
  return { found, folder }
}

for (const locale of ['en', 'zh'] as const)
  for (const colorScheme of ['light', 'dark'] as const)
    for (const viewport of [
      { width: 760, height: 720 },
      { width: 360, height: 640 },
    ])
      test.describe(`the startup page, ${locale}, ${colorScheme}, ${viewport.width} wide`, () => {
        test.use({ colorScheme, viewport })

        test('can be read and used by everyone', async ({ page }) => {
          const troubles = troublesOf(page)
          const { found, folder } = await aDamage()
          await page.goto(`data:text/html;charset=utf-8,${encodeURIComponent(startupPage(found, locale))}`)
          await expectAccessible(page)
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
          for (const remedy of ['language', 'restore/switchyard-20261123T030512Z.db', ...found.remedies]) {
            await page.keyboard.press('Tab')
            await expect(page.locator(`a[href$="/${remedy}"]`)).toBeFocused()
          }
          expect(troubles).toEqual([])
          await rm(folder, { recursive: true, force: true })
        })

        test('and so can the one for a person who is locked out', async ({ page }) => {
          const troubles = troublesOf(page)
          const result = { kind: 'password', username: 'a-long-name-1', password: 'W8wLmpPq1abcDEF0' } as const
          const command = `'/home/ann/${'long '.repeat(12)}/Switchyard.AppImage' --command-line --`
          const shown = lockedOutPage({ result, command }, locale)
          await page.goto(`data:text/html;charset=utf-8,${encodeURIComponent(shown)}`)
          await expectAccessible(page)
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
          for (const action of ['open', 'copy', 'password', 'factors', 'login']) {
            await page.keyboard.press('Tab')
            await expect(page.locator(`a[href$="/${action}"]`)).toBeFocused()
          }
          expect(troubles).toEqual([])
        })

        test('and so can that of updates', async ({ page }) => {
          const troubles = troublesOf(page)
          const notes = `- Faster.\n- <b>Bold</b> ${'long '.repeat(40)}\n${'x'.repeat(200)}`
          const update = { version: '2.0.0', notes, releasedAt: '2026-12-01' }
          const rollback = {
            from: '0.9.0',
            to: '1.0.0',
            backup: 'switchyard-20261123T030512Z.db',
            atSeconds: 1_795_000_000,
          }
          const view = {
            version: '1.0.0',
            isDaily: true,
            rollback,
            hasPage: true,
            installer: 'switchyard-0.9.0.AppImage',
          }
          const shown = updatePage({ ...view, state: { kind: 'found', update }, installedAs: 'appImage' }, locale)
          await page.goto(`data:text/html;charset=utf-8,${encodeURIComponent(shown)}`)
          await expectAccessible(page)
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
          await expect(page.locator('.notes')).toContainText('<b>Bold</b>')
          for (const action of ['download', 'close', 'page', 'notDaily']) {
            await page.keyboard.press('Tab')
            await expect(page.locator(`a[href$="/${action}"]`)).toBeFocused()
          }
          expect(troubles).toEqual([])
        })
      })
