import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const titlesIn = (...files: string[]) =>
  Array.from(
    files
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .join('\n')
      .matchAll(/^ *test\('(.+?)(?: \(docs\/[^)]+\))?', /gm),
    ([, title]) => title,
  )

/** Scenarios that only the stand-in or only real Electron can run, with the reason or the other's substitute. */
const alone = {
  standIn: {
    'shows its window without a signal of a first picture, and reports failures to copy or open': 'a system that fails',
    'ends properly when its window is closed before it has loaded, and next to another instance':
      'closed at a moment chosen',
    'shows the activity in the tray, pauses there, and runs without a window where that is set': 'a tray is pressed',
    'quits from the tray where it would stay without a window, without a notice of that': 'a tray is pressed',
    'notifies once, also where the system shows no notifications, that it runs on without a window':
      'a tray is pressed',
    'lets a person in who has lost the password and the second factor': 'a menu is pressed',
    'lets streams end before it quits, and a new launch takes over then':
      'a program started by another, and left alone',
    'sets a program up on this computer: the changes, the test request, and undoing them': 'a person’s own home',
  },
  electron: {
    'is one at a time: a second launch ends, and the page of its link is shown by the first': 'two processes, one lock',
    'runs without a window where that is set, and a start at login shows none': 'windows of the system',
    'lets streams end before it quits': 'without the launch that would be left behind',
    'shows the changes of setting a program up, and sends nothing of another page': 'nothing is written',
  },
} as const

it('has the same scenarios in real Electron as under the stand-in, except for those that only one of them can show', () => {
  const standIn = titlesIn('tests/e2e/desktop.spec.ts', 'tests/e2e/desktop.deep.spec.ts')
  const electron = titlesIn('tests/desktop/electron.spec.ts')
  expect(standIn.length).toBeGreaterThan(10)
  const shared = (titles: readonly (string | undefined)[], own: object) =>
    titles.filter((title = '') => !(title in own)).sort()
  expect(shared(electron, alone.electron)).toEqual(shared(standIn, alone.standIn))
  expect(standIn).toEqual(expect.arrayContaining(Object.keys(alone.standIn)))
  expect(electron).toEqual(expect.arrayContaining(Object.keys(alone.electron)))
})
