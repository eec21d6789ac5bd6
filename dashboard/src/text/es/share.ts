import type { messages as english } from '../en/share.ts'

export const messages: typeof english = () => ({
  share: {
    product: 'Signpost',
    loading: 'Cargando…',
    scope: {
      workspace: 'Todos los enlaces',
      link: 'Un enlace',
      campaign: 'Una campaña',
      folder: 'Una carpeta',
    },
    updated: (when) => `actualizado ${when}`,
    away: (when) => `El servidor no responde. Estas cifras son de las ${when}.`,
    days: (first, last) => (first === last ? first : `${first} – ${last}`),
    value: 'Valor',
    allClicks: 'Clics, en total',
    now: 'clics',
    importedInAll: (clicks) =>
      `${clicks} del total de clics proceden de una importación de otro servicio.`,
    topLinks: 'Enlaces con más clics',
    foot: (zone) =>
      `No se cuentan los rastreadores ni las vistas previas de enlaces. Zona horaria: ${zone}.`,
    locked: {
      title: 'Este panel requiere una contraseña',
      intro: 'Es la contraseña que venía con el enlace.',
      label: 'Contraseña',
      open: 'Abrir el panel',
      wrong: 'La contraseña no es correcta.',
      failed: 'No se pudo comprobar la contraseña. Se puede reintentar en unos instantes.',
      wait: (seconds) => `Demasiados intentos. Se puede reintentar en ${seconds}.`,
      cookie: 'Una cookie la recuerda en este navegador durante 12 horas.',
    },
    gone: {
      title: 'Panel no encontrado',
      intro:
        'Puede que la dirección esté incompleta o que el panel ya no se comparta. Lo sabe quien envió el enlace.',
    },
    failed: {
      title: 'No se pudieron cargar las cifras',
      intro:
        'El servidor no responde o está ocupado. Esta página vuelve a intentarlo automáticamente.',
      retry: 'Reintentar',
    },
  },
})
