import type { messages as english } from '../en/alerts.ts'

export const messages: typeof english = () => ({
  alerts: {
    title: 'Alertas',
    note: 'Se comprueban cada hora',
    new_: 'Nueva alerta',
    edit: 'Editar alerta',
    create: 'Crear alerta',
    created: 'La alerta está activa.',
    none: 'No hay alertas',
    noneExplain:
      'Un correo cuando los clics se alejan mucho de lo habitual o cuando el destino de un enlace deja de responder.',
    wholeWorkspace: 'Todo el espacio de trabajo',
    actionsOf: (name) => `Acciones para la alerta de ${name}`,
    pause: 'Pausar',
    resume: 'Reanudar',
    paused: 'En pausa',
    delete: 'Eliminar',
    deleted: 'La alerta se ha eliminado.',
    learning: 'Clics: lo habitual se conoce a las dos semanas',
    notChecked: 'El destino aún no se ha comprobado',
    since: (time) => `(desde ${time})`,
    watchClicks: 'Clics inusuales',
    watchClicksHint:
      'Una hora con muchos más o menos clics que la misma hora de las últimas cuatro semanas.',
    watchDestination: 'Destino con fallos',
    watchDestinationHint: 'Dos comprobaciones seguidas sin respuesta o con un error.',
    linkHint: 'Para vigilar un enlace, abrir su página y elegir «Alerta».',
    watchOne: 'Hay que elegir al menos una opción.',
    recipients: 'Correo a',
    recipientsHint:
      'Direcciones de miembros, una por línea. Un correo al empezar y otro al terminar.',
    clicks: {
      usual: (count, usual) =>
        `Clics habituales: ${count} en la última hora completa, normalmente ${usual}`,
      high: (count, usual) =>
        `Muchos clics: ${count} en la última hora completa, normalmente ${usual}`,
      low: (count, usual) =>
        `Pocos clics: ${count} en la última hora completa, normalmente ${usual}`,
    },
    destination: {
      ok: 'El destino responde',
      failing: 'El destino no responde, o responde con un error',
    },
  },
})
