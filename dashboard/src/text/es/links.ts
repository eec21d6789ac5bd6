import type { messages as english } from '../en/links.ts'

export const messages: typeof english = ({ plural, formatNumber }) => ({
  linkList: {
    contains: 'Contiene',
    moreThan: (count) => `más de ${formatNumber(count)} enlaces`,
    anyTag: 'Cualquier etiqueta',
    anyFolder: 'Cualquier carpeta',
    anyCampaign: 'Cualquier campaña',
    anyDomain: 'Cualquier dominio',
    withCount: (name, count) => `${name} (${formatNumber(count)})`,
    showArchived: 'Incluir archivados',
    clearFilters: 'Quitar filtros',
    export: 'Exportar CSV',
    import: 'Importar',
    organize: 'Carpetas y etiquetas',
    more: 'Más acciones',
    columns: {
      name: 'Enlace',
      status: 'Estado',
      tags: 'Etiquetas',
      periodClicks: '30 días',
      clicks: 'En total',
      conversions: 'Conversiones',
      lastClickedAt: 'Último clic',
      createdAt: 'Creado',
    },
    columnNames: {
      status: 'Estado',
      tags: 'Etiquetas',
      periodClicks: 'Clics, 30 días',
      clicks: 'Clics, en total',
      conversions: 'Conversiones',
      lastClickedAt: 'Último clic',
      createdAt: 'Creado',
    },
    deleteTitle: (count) =>
      plural(count, { one: '¿Eliminar # enlace?', other: '¿Eliminar # enlaces?' }),
    deleteExplain:
      'Los visitantes verán «No encontrado» y los códigos QR dejarán de funcionar. Se puede deshacer durante una hora.',
    chooseColumns: 'Columnas',
    menuOf: (slug) => `Acciones de ${slug}`,
    openStatistics: 'Estadísticas',
    showQr: 'Código QR',
    copyLink: 'Copiar enlace corto',
    badges: {
      password: 'Contraseña',
      starts: (time) => `empieza el ${time}`,
      expires: (time) => `caduca el ${time}`,
      maxClicks: (count) => `límite de ${count} clics`,
      rules: (count) => plural(count, { one: '# regla', other: '# reglas' }),
      variants: (count) =>
        plural(count, {
          one: 'Prueba A/B con # variante',
          other: 'Prueba A/B con # variantes',
        }),
    },
    conversionsOf: (count, days) =>
      `${plural(count, { one: '# conversión', many: '# de conversiones', other: '# conversiones' })} en ${days} días`,
    sortBy: (column) => `Ordenar por: ${column}`,
    select: (slug) => `Seleccionar ${slug}`,
    selected: (count) => plural(count, { one: '# seleccionado', other: '# seleccionados' }),
    allMatching: (count) => `Seleccionar todos (${count})`,
    clearSelection: 'Anular la selección',
    qrCodesOf: (count) =>
      plural(count, { one: 'Código QR de # enlace', other: 'Códigos QR de # enlaces' }),
    downloadZip: 'Descargar ZIP',
    format: 'Formato',
    archive: 'Archivar',
    delete: 'Eliminar',
    changed: (count) => plural(count, { one: '# enlace cambiado.', other: '# enlaces cambiados.' }),
    archived: (count) =>
      plural(count, {
        one: '# enlace archivado. Sigue redirigiendo.',
        other: '# enlaces archivados. Siguen redirigiendo.',
      }),
    deleted: (count) =>
      plural(count, { one: '# enlace eliminado.', other: '# enlaces eliminados.' }),
    failed: (count, message) =>
      `${plural(count, { one: 'No se pudo cambiar # enlace', other: 'No se pudieron cambiar # enlaces' })}: ${message}`,
  },
  views: {
    title: 'Vistas',
    none: 'Todos los enlaces',
    save: 'Guardar esta vista',
    saved: 'Vista guardada.',
    deleted: 'Vista eliminada.',
    edit: (name) => `Renombrar o compartir ${name}`,
    delete: (name) => `Eliminar ${name}`,
    name: 'Nombre',
    noName: 'Falta el nombre.',
    share: 'Compartir en el espacio de trabajo',
    shareHint: 'Todos la ven, y los miembros pueden cambiarla.',
  },
  bulk: {
    title: (count) => plural(count, { one: 'Editar # enlace', other: 'Editar # enlaces' }),
    apply: (count) => plural(count, { one: 'Cambiar # enlace', other: 'Cambiar # enlaces' }),
    tags: 'Etiquetas',
    tagModes: {
      change: 'Añadir o quitar etiquetas',
      replace: 'Reemplazar todas las etiquetas',
    },
    addTags: 'Añadir etiquetas',
    removeTags: 'Quitar etiquetas',
    newTags: 'Etiquetas nuevas',
    newTagsHint: 'Dejar vacío para quitar todas las etiquetas.',
    groupModes: { keep: 'Sin cambios', set: 'Asignar', clear: 'Quitar' },
    statusModes: {
      keep: 'Sin cambios',
      active: 'Activo',
      paused: 'Pausado',
      archived: 'Archivado',
    },
    utmHint: 'Los campos vacíos conservan sus valores.',
    preview: 'Vista previa',
    nothing: 'Aquí aparecerá una vista previa al elegir qué cambiar.',
    changes: (changed, count) =>
      changed === count
        ? plural(count, { one: 'Cambios en # enlace', other: 'Cambios en # enlaces' })
        : plural(count, {
            one: `Cambios en ${formatNumber(changed)} de # enlace`,
            other: `Cambios en ${formatNumber(changed)} de # enlaces`,
          }),
    changesAll: (count) =>
      plural(count, {
        one: 'Cambios en # enlace como máximo',
        other: 'Cambios en # enlaces como máximo',
      }),
    more: (count) => `y ${formatNumber(count)} más`,
  },
  groups: {
    title: 'Carpetas y etiquetas',
    kinds: { folders: 'Carpetas', tags: 'Etiquetas' },
    explain: {
      folders: 'Un enlace puede estar en una carpeta.',
      tags: 'Un enlace puede tener muchas etiquetas. Una etiqueta existe mientras la tenga algún enlace.',
    },
    search: 'Buscar por nombre',
    none: { folders: 'No hay carpetas', tags: 'No hay etiquetas' },
    more: 'Mostrar más',
    newFolder: 'Nueva carpeta',
    create: 'Crear',
    rename: (name) => `Renombrar ${name}`,
    delete: (name) => `Eliminar ${name}`,
    newName: (name) => `Nuevo nombre de ${name}`,
    mergeHint: 'Con el nombre de otra etiqueta, las dos se combinan.',
    deleteTitle: (name) => `¿Eliminar ${name}?`,
    deleteExplain: {
      folders: (count) =>
        plural(count, {
          one: 'Su # enlace se conserva, fuera de cualquier carpeta.',
          other: 'Sus # enlaces se conservan, fuera de cualquier carpeta.',
        }),
      tags: (count) =>
        plural(count, {
          one: 'Se quita de # enlace, que se conserva.',
          other: 'Se quita de # enlaces, que se conservan.',
        }),
    },
  },
})
