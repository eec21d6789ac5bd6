import type { messages as english } from '../en/media.ts'

export const messages: typeof english = ({ plural, formatNumber }) => ({
  media: {
    title: 'Imágenes',
    count: (count, megabytes) =>
      `${plural(count, { one: '# imagen', other: '# imágenes' })}, ${megabytes} MB`,
    storage: (used, limit) => `${used} de ${formatNumber(limit)} MB en uso.`,
    storageLabel: 'Almacenamiento',
    upload: 'Subir',
    uploads: 'Subidas',
    dismiss: (name) => `Descartar ${name}`,
    progressOf: (name) => `Progreso de ${name}`,
    tooLarge: 'El archivo pesa más de 5 MiB.',
    drop: 'Soltar aquí archivos PNG, JPEG, GIF, WebP o AVIF de hasta 5 MiB.',
    types: 'Archivos PNG, JPEG, GIF, WebP o AVIF de hasta 5 MiB.',
    search: 'Buscar imágenes por nombre',
    none: 'Aún no hay imágenes',
    noneExplain: 'Aquí se suben imágenes para vistas previas sociales, códigos QR y páginas bio.',
    noneForViewers:
      'Los miembros pueden subir imágenes para vistas previas sociales, códigos QR y páginas bio.',
    noneFound: 'Ninguna imagen coincide',
    facts: (width, height, kilobytes) =>
      `${width} × ${height}, ${formatNumber(Math.ceil(kilobytes))} kB`,
    animated: 'animada',
    unused: 'Sin usar',
    usedBy: 'En uso en',
    andMore: (count) => `${formatNumber(count)} más`,
    download: (name) => `Descargar ${name}`,
    delete: 'Eliminar',
    delete_: (name) => `Eliminar ${name}`,
    deleteAnyway: 'Eliminar en todas partes',
    deleteTitle: (name) => `¿Eliminar ${name}?`,
    deleteUnused: 'No está en uso.',
    deleteUsed: (names) => `Está en uso en ${names}. Al eliminarla, desaparece de ahí al instante.`,
    deleted: (name) => `Se eliminó ${name}.`,
    choose: 'Elegir una imagen',
    chooseOther: 'Elegir otra imagen',
    remove: 'Quitar',
    chosenFor: (label) => `${label}: imagen elegida`,
  },
})
