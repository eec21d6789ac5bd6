import type { messages as english } from '../en/members.ts'

export const messages: typeof english = ({ plural }) => ({
  members: {
    title: 'Miembros',
    count: (count) => plural(count, { one: '# miembro', other: '# miembros' }),
    you: 'yo',
    roleOf: (name) => `Rol de ${name}`,
    roleHints: {
      viewer: 've los enlaces y las estadísticas',
      member: 'además crea y cambia enlaces y campañas',
      admin: 'además gestiona webhooks, claves, miembros y registros',
      owner: 'además gestiona la facturación y puede eliminar el espacio de trabajo',
    },
    roleChanged: (name, role) => `${name} tiene ahora el rol de ${role.toLowerCase()}.`,
    joined: 'Desde el',
    lastActive: 'última actividad',
    neverActive: 'aún sin actividad',
    twoFactor: 'Verificación en dos pasos',
    noTwoFactor: 'Sin verificación en dos pasos',
    actionsOf: (name) => `Acciones de ${name}`,
    remove: 'Quitar',
    removeTitle: (name) => `¿Quitar a ${name}?`,
    removeExplain:
      'Sus claves de API en este espacio de trabajo dejan de funcionar al instante. Lo que creó se conserva.',
    removed: (name) => `Se quitó a ${name}.`,
    leave: 'Salir del espacio de trabajo',
    leaveTitle: (name) => `¿Salir de ${name}?`,
    leaveExplain:
      'Las claves de API propias en este espacio de trabajo dejan de funcionar al instante. Para volver hará falta una nueva invitación.',
    invite: 'Invitar',
    inviteTitle: 'Invitar a un miembro',
    email: 'Correo electrónico',
    role: 'Rol',
    send: 'Enviar invitación',
    sent: (email) => `Se invitó a ${email}.`,
    notMailed: (email) =>
      `Se invitó a ${email}, pero no se envió ningún correo: esta dirección recibió demasiados en la última hora. Intentarlo de nuevo más tarde.`,
    accountRequired:
      'El registro está cerrado en este servidor. Quien no tenga cuenta debe pedir antes una al operador.',
    invitations: 'Invitaciones',
    invitationStatuses: {
      pending: 'Pendiente',
      accepted: 'Aceptada',
      rejected: 'Rechazada',
      canceled: 'Cancelada',
      expired: 'Caducada',
    },
    noInvitations: 'No hay invitaciones pendientes.',
    expires: 'caduca',
    resend: 'Enviar de nuevo',
    getLink: 'Obtener un enlace',
    linkTitle: 'Enlace de invitación',
    linkNote: (email) =>
      `También se puede compartir un enlace directamente. Solo ${email} puede unirse con él, tras confirmar esa dirección por correo.`,
    makeLink: 'Crear un enlace',
    copyLink: 'Copiar el enlace',
    cancelInvitation: 'Cancelar la invitación',
    canceled: (email) => `Se canceló la invitación de ${email}.`,
    invitedAgain: (email) => `Se invitó de nuevo a ${email}.`,
    actionsOfInvitation: (email) => `Acciones de la invitación de ${email}`,
  },
})
