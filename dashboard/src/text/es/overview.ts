import type { messages as english } from '../en/overview.ts'

export const messages: typeof english = ({ plural }) => ({
  created: {
    title: 'El enlace corto está listo',
    open: 'Abrir',
    customize: 'Personalizar',
    statistics: 'Estadísticas',
  },
  overview: {
    title: 'Resumen',
    note: 'Últimos 30 días, comparados con los 30 anteriores.',
    countedUpTo: (time) => `Actualizado a las ${time}.`,
    today: (clicks) =>
      plural(clicks, {
        one: 'Hoy, # clic hasta ahora.',
        many: 'Hoy, # de clics hasta ahora.',
        other: 'Hoy, # clics hasta ahora.',
      }),
    firstTitle: '¿Adónde debe llevar?',
    firstExplain:
      'Basta con pegar una dirección. Se convierte en un enlace corto, y cada clic se ve al instante.',
    firstViewer:
      'Este espacio de trabajo aún no tiene enlaces. Los miembros pueden crearlos; sus estadísticas aparecen aquí.',
    makeShort: 'Acortar',
    noAddress: 'Debe ser una dirección web, como example.com/pagina.',
    stepsTitle: 'Primeros pasos',
    stepsDone: (done, all) => `${done} de ${all} completados`,
    dismissSteps: 'Ocultar los primeros pasos',
    done: 'hecho',
    steps: {
      link: { title: 'Crear un enlace', explain: 'pegar una dirección, obtener un enlace corto' },
      click: { title: 'Abrirlo una vez', explain: 'el clic aparece en segundos' },
      webhook: {
        title: 'Enviar los clics a un servidor propio',
        explain: 'los webhooks van firmados y se reintentan hasta la entrega',
      },
      team: {
        title: 'Invitar a un miembro',
        or: 'o crear una clave de API',
        explain: 'compartir los enlaces con el equipo, o automatizar',
      },
    },
    needsYou: 'Requiere atención',
    deadLetters: (count) =>
      plural(count, {
        one: '# entrega con fallo definitivo',
        many: '# de entregas con fallo definitivo',
        other: '# entregas con fallo definitivo',
      }),
    deadLettersHint: 'ver las respuestas y reintentar',
    limit: (name, used, limit) => `${name}: ${used} de ${limit}`,
    limitReached: 'límite alcanzado',
    limitNear: 'cerca del límite del plan',
    topLinks: 'Con más clics',
    topLinksHint: 'Sin clics en los últimos 30 días.',
    sources: 'Fuentes',
    recent: 'Actividad reciente',
    allActivity: 'Registro de auditoría',
    recentLinks: 'Enlaces más recientes',
    allLinks: 'Todos los enlaces',
    by: (name) => `por ${name}`,
  },
})
