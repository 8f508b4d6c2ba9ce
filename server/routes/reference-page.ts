// The page that shows the OpenAPI document: Swagger UI from our own files, in the app's colors (light or dark).
import { createHash } from 'node:crypto'

export const PAGE_FILES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

const style = `
html { color-scheme: light dark; background: #fff; }
html.dark-mode { background: #1c2022; }
body { margin: 0; }
.swagger-ui {
  font-size: 15px;
  .wrapper { max-width: 1100px; padding: 0 16px; box-sizing: border-box; }
  .info { margin: 24px 0; }
  .info .title { font-size: 28px; }
  .info .title small { padding: 2px 8px; }
  .info p { text-wrap: pretty; }
  .info p, .info li, .markdown p, .renderedMarkdown p { line-height: 1.5; }
  .info tbody td { padding-bottom: 10px; }
  .scheme-container { padding: 12px 0; box-shadow: none; background: none; }
  .response-col_links { display: none; }
  .auth-container input[type=text] { width: 100%; max-width: none; box-sizing: border-box; }
}
.swagger-ui, html.dark-mode .swagger-ui {
  .markdown code, .renderedMarkdown code { padding: 1px 4px; color: inherit; font-weight: 500; }
}
html:not(.dark-mode) .swagger-ui {
  .info .title small { background: #5b6270; }
  .info .title small.version-stamp, .opblock-post .opblock-summary-method { background: #1a7343; }
  .parameter__in { color: #5b6270; }
  .opblock-summary-method { text-shadow: none; }
  .opblock-get .opblock-summary-method { background: #2b63a8; }
  .opblock-put .opblock-summary-method { background: #8f5600; }
  .opblock-patch .opblock-summary-method { background: #176a8f; }
  .opblock-delete .opblock-summary-method { background: #b32828; }
  .btn.authorize { border-color: #1a7343; color: #1a7343; }
  .btn.authorize svg { fill: #1a7343; }
  .btn.cancel { border-color: #b32828; color: #b32828; }
  .parameter__name.required::after, .parameter__name.required span, .body-param__required,
  .opblock-section-header .required::after { color: #b32828; }
  & a.link, .info a { color: #2b63a8; }
}
.dark-mode .swagger-ui { .examples__title, .examples-select__section-label { color: #e4e6e6; } }
@media (max-width: 640px) {
  .swagger-ui {
    .opblock .opblock-summary-method { min-width: 60px; padding: 4px 0; font-size: 12px; }
    .opblock .opblock-summary-control { align-items: flex-start; min-width: 0; }
    .opblock .opblock-summary-path { max-width: 100%; }
    .opblock-body .opblock-section-header { flex-wrap: wrap; min-height: 0; }
    & table.parameters, & table.parameters tbody, & table.parameters tr, & table.parameters td,
    & table.responses-table, & table.responses-table > tbody, & table.responses-table > tbody > tr,
    & table.responses-table > tbody > tr > td:not(.response-col_links) { display: block; width: auto; max-width: 100%; }
    & table.parameters thead, & table.responses-table thead { display: none; }
    & table.responses-table > tbody > tr > .response-col_status { padding-bottom: 0; font-weight: 700; }
    .response-controls { flex-wrap: wrap; row-gap: 10px; }
    .response-controls > * { flex: 1 1 100%; padding-right: 0; }
    .response-controls select { width: 100%; max-width: none; }
    .live-responses-table .highlight-code pre { padding-bottom: 48px !important; }
    .parameters-col_description input, & textarea { width: 100%; max-width: none; box-sizing: border-box; }
  }
}
`

const script = `
const dark = matchMedia('(prefers-color-scheme: dark)')
// The theme chosen in the app. Reading it throws if the browser forbids storage.
const chosen = () => { try { return localStorage.getItem('theme') } catch { return null } }
const paint = () => document.documentElement.classList.toggle('dark-mode', chosen() ? chosen() === 'dark' : dark.matches)
dark.addEventListener('change', paint)
addEventListener('storage', paint)
paint()
SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  validatorUrl: null,
  deepLinking: true,
  tryItOutEnabled: true,
  requestSnippetsEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
})
`

export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Channel Feed API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<style>${style}</style>
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. The OpenAPI document is <a href="openapi.json">openapi.json</a>.</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script>${script}</script>
</body>
</html>
`

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Allows only our own files, and of inline code only the script and style above. */
export const pagePolicy = [
  "default-src 'none'",
  `script-src 'self' ${hash(script)}`,
  `style-src 'self' ${hash(style)}`,
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
