import { defineConfig } from '@playwright/test'

/**
 * The desktop program in real Electron: `npm run desktop -- --test`, on a machine that has Electron's binary (on Linux
 * without a screen under `xvfb-run -a`). It is not part of `npm test`, which tests the same program with the stand-in.
 */
export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: 'electron.spec.ts',
  outputDir: '../../out/electron',
  workers: 1,
  forbidOnly: Boolean(process.env.CI),
  timeout: 60_000,
  reporter: 'list',
})
