import { afterAll, afterEach, expect } from 'vitest'
import { endFile } from './file-end.ts'
import { faultsOfAnswers } from './held-answers.ts'

// Vitest runs this file for every test file. Hooks belong here: workers share what they have loaded, so those of any other
// module hold for the first file alone that imports it.
afterEach(async () => {
  expect(await faultsOfAnswers(), 'answers that are not as the OpenAPI document says').toEqual([])
})

afterAll(endFile)
