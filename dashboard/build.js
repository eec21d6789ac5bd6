import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { compressFiles } from './compress.ts'

/** Each page loads the scripts that it needs alone. */
const PAGES = ['index.html', 'share.html']

/**
 * Builds the dashboard into a folder: `index.html`, `share.html` for visitors of shared dashboards, hashed files
 * under `assets/`, the compressed forms of all, and their list. The same sources give the same bytes, on any machine.
 * @param {string} outDir an absolute path; its content is replaced
 */
export async function buildDashboard(outDir) {
  await build({
    configFile: false,
    envDir: false,
    root: fileURLToPath(new URL('.', import.meta.url)),
    base: '/app/',
    logLevel: 'warn',
    // Without this, Vite looks for a configuration of PostCSS in every folder above.
    css: { postcss: {} },
    plugins: [react(), tailwind()],
    build: {
      outDir,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      target: 'es2023',
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        input: PAGES.map((page) => fileURLToPath(new URL(page, import.meta.url))),
      },
    },
  })
  await compressFiles(outDir)
}

const [, program, outDir] = process.argv
// The child process of src/dashboard-build.
if (program === fileURLToPath(import.meta.url)) {
  if (!outDir) throw new Error('node dashboard/build.js FOLDER')
  await buildDashboard(outDir)
}
