import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fidelityPage } from './fidelity.ts'

writeFileSync(join(import.meta.dirname, '../../../../docs/fidelity.md'), fidelityPage())
