import type { MailTexts } from '../texts.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('es')

export const mails: MailTexts = {
  hello: (name) => `Hola, ${name}:`,
  helloNobody: 'Hola:',
  unnamed: '(sin nombre)',
  roles: { owner: 'propietario', admin: 'administrador', member: 'miembro', viewer: 'lector' },
  once: 'El enlace funciona una sola vez, durante una hora.',
  notYou: 'Si la solicitud es de otra persona, este correo se puede ignorar. Nada ha cambiado.',
  wasItYou:
    'Si fue otra persona, conviene restablecer la contraseña ahora y cerrar todas las demás sesiones.',
  otherCredentials:
    'Una contraseña nueva no afecta a las claves de API, las llaves de acceso ni las cuentas vinculadas. Conviene revisarlas en los ajustes de la cuenta y de los espacios de trabajo, y eliminar las desconocidas.',
  verifyEmail: {
    subject: 'Confirmar la dirección de correo',
    text: 'Para completar el registro en Signpost, hay que confirmar esta dirección de correo.',
    link: 'Confirmar correo',
    where: 'Se abre en el navegador del registro o, en otro, con la contraseña elegida.',
    notYou:
      'Si el registro es de otra persona, este correo se puede ignorar. No se crea ninguna cuenta.',
  },
  alreadyRegistered: {
    subject: 'La cuenta ya existe',
    text: 'Con esta dirección se intentó un registro en Signpost, pero ya tiene una cuenta. Basta con iniciar sesión, o restablecer la contraseña si se ha olvidado.',
    link: 'Iniciar sesión',
  },
  resetPassword: {
    subject: 'Elegir una contraseña nueva',
    text: 'Se ha solicitado una contraseña nueva para esta cuenta.',
    link: 'Elegir contraseña',
  },
  passwordChanged: {
    subject: 'La contraseña ha cambiado',
    text: 'La contraseña de esta cuenta de Signpost acaba de cambiar.',
  },
  approveEmailChange: {
    subject: 'Aprobar el cambio de dirección de correo',
    text: (newEmail) =>
      `Se ha solicitado cambiar la dirección de correo de esta cuenta a ${newEmail}. El cambio se hace al aprobarlo aquí y confirmar la dirección nueva.`,
    link: 'Aprobar cambio',
    notYou:
      'Si la solicitud es de otra persona, no hay que aprobarla. Conviene cambiar la contraseña de inmediato: alguien podría tener acceso a la cuenta.',
  },
  verifyNewEmail: {
    subject: 'Confirmar la nueva dirección de correo',
    text: (name, email) =>
      `${name} (${email}) quiere usar esta dirección de correo para su cuenta de Signpost.`,
    link: 'Confirmar correo',
    where: 'Se abre en un navegador con sesión en esa cuenta o, en otro, con su contraseña.',
    notYou:
      'Si la cuenta es de otra persona, este correo se puede ignorar. Nada cambia sin confirmarlo.',
  },
  emailChanged: {
    subject: 'La dirección de correo ha cambiado',
    text: (newEmail) =>
      `La cuenta usa ahora ${newEmail}. Este es el último correo a la dirección anterior.`,
    notYou:
      'Si fue otra persona, conviene avisar al operador de este servidor. Con esta dirección ya no se puede iniciar sesión.',
  },
  invitation: {
    subject: 'Invitación a un espacio de trabajo en Signpost',
    text: (inviter, workspace, role) =>
      `Invitación de ${inviter} al espacio de trabajo ${workspace} en Signpost, con el rol de ${role}.`,
    link: 'Abrir la invitación',
    terms:
      'Solo esta dirección puede aceptar la invitación. Caduca en 14 días. El enlace confirma la dirección, así que este correo no se debe reenviar.',
    unknown: 'Si el remitente es desconocido, este correo se puede ignorar.',
  },
  accountDeleted: {
    subject: 'La cuenta se ha eliminado',
    text: 'La cuenta se ha eliminado, junto con todos los datos que solo le pertenecían a ella. Este es nuestro último correo.',
  },
  webhookFailing: {
    subject: 'Las entregas de webhooks fallan',
    subjectPaused: 'Hay endpoints de webhooks en pausa porque sus entregas fallan',
    text: (workspace) =>
      `Fallan todas las entregas a estos endpoints de webhooks del espacio de trabajo ${workspace}:`,
    endpoint: ({ host, id, last, since }) =>
      `${host} (${id}): ${last} en el último intento, sin éxito desde ${since}.`,
    pausedAt: (time) => `En pausa desde ${time}.`,
    status: (status) => `estado ${status}`,
    noAnswer: (error) => `sin respuesta (${error})`,
    more: (count) => plural(count, { one: 'Y # más.', other: 'Y # más.' }),
    paused:
      'Un endpoint en pausa no recibe nada. Cuando su receptor funcione, se reanuda en el panel: entonces se envían las entregas pendientes, y una repetición envía lo que ocurrió entretanto.',
    kept: 'Las entregas sin más intentos se conservan. Se pueden reintentar cuando el receptor responda con un estado 2xx.',
    why: 'Este correo llega porque un endpoint indica esta dirección como failureEmail. Cada endpoint se notifica una vez hasta su próximo éxito.',
    whyPaused:
      'Este correo llega porque un endpoint indica esta dirección como failureEmail, o por ser propietario del espacio de trabajo. Cada endpoint se notifica una vez hasta su próximo éxito, y una vez cuando se pone en pausa.',
  },
  reportReady: {
    subject: 'Un informe programado está listo',
    text: (report, workspace) =>
      `El informe ${report} del espacio de trabajo ${workspace} está listo.`,
    link: 'Abrir los informes',
    terms: 'Para abrirlo hay que iniciar sesión. El archivo se conserva 30 días.',
    why: 'Este correo llega a los destinatarios del informe. Un miembro del espacio de trabajo puede quitarlos.',
  },
  alert: {
    subject: 'Una alerta sobre los enlaces',
    over: 'Una alerta ha terminado',
    wholeWorkspace: 'todo el espacio de trabajo',
    high: (target, count, usual) =>
      `${target}: ${count} clics en la última hora completa; lo habitual a esta hora son ${usual}.`,
    low: (target, count, usual) =>
      `${target}: solo ${count} clics en la última hora completa; lo habitual a esta hora son ${usual}.`,
    failing: (target) => `${target}: el destino no responde, o responde con un error.`,
    clicksOver: (target, count) =>
      `${target}: los clics vuelven a ser los habituales, ${count} en la última hora completa.`,
    destinationOver: (target) => `${target}: el destino vuelve a responder.`,
    of: (workspace) => `Espacio de trabajo: ${workspace}.`,
    link: 'Abrir las alertas',
    why: 'Este correo llega a los destinatarios de esta alerta. Un miembro del espacio de trabajo puede quitar destinatarios.',
  },
}
