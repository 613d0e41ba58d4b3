import { DOCUMENT_PATH, VIEWER_PATH } from '../openapi/document.ts'

/** The page around the viewer; loads nothing from other addresses. */
export const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Switchyard API</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="${VIEWER_PATH}/swagger-ui.css" />
    <link rel="stylesheet" href="${VIEWER_PATH}/page.css" />
    <script src="${VIEWER_PATH}/swagger-ui-bundle.js" defer></script>
    <script src="${VIEWER_PATH}/start.js" defer></script>
  </head>
  <body>
    <main id="viewer"></main>
    <noscript>The viewer needs JavaScript; the document itself is at <a href="${DOCUMENT_PATH}">${DOCUMENT_PATH}</a>.</noscript>
  </body>
</html>
`

/** Starts the viewer in the theme chosen in the console, else the system's; entered keys are not stored. */
export const script = `const system = matchMedia('(prefers-color-scheme: dark)')
const paint = () => {
  const wished = localStorage.getItem('theme-mode')
  const isDark = wished === 'dark' || (wished !== 'light' && system.matches)
  document.documentElement.classList.toggle('dark-mode', isDark)
}
paint()
system.addEventListener('change', paint)
addEventListener('storage', paint)
SwaggerUIBundle({
  dom_id: '#viewer',
  url: '${DOCUMENT_PATH}',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  filter: true,
  persistAuthorization: false,
  validatorUrl: null,
})
`

/**
 * Styles that the viewer leaves to the page. Hides the column of links: it is always empty, and wider than a phone's
 * screen.
 */
export const style = `html { color-scheme: light; }
html.dark-mode { color-scheme: dark; }
body { margin: 0; }
.swagger-ui .response-col_links { display: none; }
.swagger-ui .scheme-container { margin-top: 0; }
`
