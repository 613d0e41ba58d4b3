import { afterAll, afterEach, expect, vi } from 'vitest'
import { electron } from './electron.ts'
import { endFile } from './file-end.ts'
import { faultsOfAnswers } from './held-answers.ts'

vi.mock('electron', async () => (await import('./electron.ts')).electron)
for (const name of Object.keys(electron)) delete electron[name]

// Vitest runs this file for every test file. Hooks belong here: workers share loaded modules, so hooks of any other
// module apply only to the first file that imports it.
afterEach(async () => {
  expect(await faultsOfAnswers(), 'answers that are not as the OpenAPI document says').toEqual([])
})

afterAll(endFile)
