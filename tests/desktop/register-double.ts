import { registerHooks } from 'node:module'

/**
 * Answers `import 'electron'` and `import 'keytar'` with the stand-ins beside this file:
 * `node --import ./tests/desktop/register-double.ts out/main/index.js`.
 */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' || specifier === 'keytar'
      ? { url: new URL(`${specifier}-double.ts`, import.meta.url).href, shortCircuit: true }
      : next(specifier, context),
})
