import { registerHooks } from 'node:module'

/**
 * Resolves `import 'electron'` and `import 'keytar'` to the stand-ins in this folder: `node --import
 * ./tests/desktop/register-double.ts out/main/index.js`.
 */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' || specifier === 'keytar'
      ? { url: new URL(`${specifier}-double.ts`, import.meta.url).href, shortCircuit: true }
      : next(specifier, context),
})
