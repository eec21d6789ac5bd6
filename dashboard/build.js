import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build } from 'vite'

/**
 * Builds the dashboard into a folder: `index.html`, and hashed files under `assets/`.
 * @param {string} outDir an absolute path; its content is replaced
 */
export async function buildDashboard(outDir) {
  await build({
    configFile: false,
    root: fileURLToPath(new URL('.', import.meta.url)),
    base: '/app/',
    logLevel: 'warn',
    plugins: [react(), tailwind()],
    build: {
      outDir,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      target: 'es2023',
      modulePreload: { polyfill: false },
    },
  })
}
