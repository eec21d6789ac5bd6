import type { messages as english } from '../en/tools.ts'

export const messages: typeof english = () => ({
  tools: {
    bookmarkletTitle: 'Marcador',
    bookmarkletExplain:
      'Arrastrar el botón a la barra de marcadores del navegador. En cualquier página, abre el formulario de un enlace nuevo a esa página.',
    bookmarklet: 'Acortar con Signpost',
    shareXTitle: 'ShareX',
    shareXExplain: (place) =>
      `Abrir el archivo en un editor de texto y sustituir ${place} por una clave de API con el permiso links:write. Después, abrirlo con ShareX y elegirlo como URL shortener en Destinations.`,
    shareXDownload: 'Descargar signpost.sxcu',
    keyPlace: 'CLAVE_API',
    keys: 'Claves de API',
    appTitle: 'Aplicación',
    appExplain:
      'El panel se instala desde el menú del navegador: «Instalar aplicación» o «Añadir a pantalla de inicio». En Android aparece entonces en el menú para compartir de otras aplicaciones, y una página compartida abre el formulario de un enlace nuevo.',
  },
})
